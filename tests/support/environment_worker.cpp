// A process of its own, to be run with somebody else's rights: ends with 0 where kernels come from the library, with 1
// where they come from the directory that the environment names.
#include <cstdlib>

#include "runtime/program/kernel_source.hpp"

// Without what is done at a usual exit: a leak checker cannot look at a set-user-ID process, and fails there.
int main() {
  const bool is_planted = tilewright::detail::kernel_source({"gemm/naive.cl"}).ends_with("\nplanted\n");
  std::_Exit(is_planted ? 1 : 0);
}
