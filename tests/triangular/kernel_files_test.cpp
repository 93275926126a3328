// Every kernel file of triangular systems is valid OpenCL C with its default parameters, and has lines of at most 120
// columns.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("the kernels of trsm compile with their defaults, and have lines of at most 120 columns") {
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    for (const char* const solver : {"triangular/solve_item.cl", "triangular/solve_group.cl"}) {
      CAPTURE(solver);
      const std::string source = detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/real.cl",
                                                        "common/reciprocal.cl", "triangular/pack_diagonal.cl", solver,
                                                        "triangular/clear.cl", "triangular/update_rows.cl"});
      CHECK_NOTHROW(store.get(shared_context(), device, {"trsm", source, "-cl-std=CL1.2"}));
      std::istringstream lines(source);
      for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
    }
  }
}

}  // namespace tilewright::test
