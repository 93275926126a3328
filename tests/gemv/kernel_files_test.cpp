// The kernel file of gemv is valid OpenCL C, and its lines are short.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("the kernel of gemv compiles with its defaults, and has lines of at most 120 columns") {
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    const std::string source = detail::kernel_source({"gemv/vector_copy.cl"});
    CHECK_NOTHROW(store.get(shared_context(), device, {"vector_copy", source, "-cl-std=CL1.2"}));
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
  }
}

}  // namespace tilewright::test
