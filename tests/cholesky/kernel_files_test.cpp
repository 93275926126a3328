// The kernel files of Cholesky's factorisation are OpenCL C by themselves, and can be read: no line is longer than 120
// columns.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("every kernel of potrf compiles with its own defaults, and has lines of 120 columns at most") {
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    for (const char* const factor : {"cholesky/factor_item.cl", "cholesky/factor_group.cl"}) {
      CAPTURE(factor);
      const std::string source = detail::kernel_source(
          {"common/index.cl", "common/bfloat16.cl", "common/real.cl", factor, "cholesky/subtract_tiles.cl"});
      CHECK_NOTHROW(store.get(shared_context(), device, {"potrf", source, "-cl-std=CL1.2"}));
      std::istringstream lines(source);
      for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
    }
  }
}

}  // namespace tilewright::test
