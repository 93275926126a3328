// The kernel files of the LU factorisation compile with their default options, and their lines have at most 120
// columns.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {

TEST_SUITE("kernel files") {
  TEST_CASE("the kernels of the LU factorisation compile with their default options") {
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    const std::string source = detail::kernel_source(
        {"common/index.cl", "common/bfloat16.cl", "common/real.cl", "common/reciprocal.cl", "lu/steps.cl",
         "lu/leaf_groups.cl", "lu/exchange.cl", "lu/substitution.cl", "lu/solve.cl", "lu/update.cl",
         "lu/small_solve.cl", "lu/determinant.cl", "lu/identity.cl", "lu/leaf_item.cl"});
    CHECK_NOTHROW(store.get(shared_context(), device, {"lu", source, "-cl-std=CL1.2 -DINDEX_BITS=64"}));
    const std::string refinement = detail::kernel_source({"common/index.cl", "common/bfloat16.cl", "common/real.cl",
                                                          "common/reciprocal.cl", "lu/steps.cl", "lu/refinement.cl"});
    CHECK_NOTHROW(store.get(shared_context(), device,
                            {"lu_refinement", refinement, "-cl-std=CL1.2 -DINDEX_BITS=64 -DREAL_BITS=64"}));
    std::istringstream lines(source + refinement);
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
  }
}

}  // namespace tilewright::test
