// Runs with another user's rights, or changes the working directory to [DIRECTORY]. Exits with 0 if kernels come from
// the library, and with 1 if they come from the directory that the environment names.
#include <unistd.h>

#include <cstdlib>

#include "runtime/program/kernel_source.hpp"

// Ends without the usual clean-up, because a leak checker cannot examine a set-user-ID process and fails.
int main(int argc, char** argv) {
  if (argc > 1 && chdir(argv[1]) != 0) std::_Exit(2);
  const bool is_planted = tilewright::detail::kernel_source({"gemm/naive.cl"}).ends_with("\nplanted\n");
  std::_Exit(is_planted ? 1 : 0);
}
