// Every kernel file compiles as OpenCL C after the files that it builds on: the defaults of its parameters keep its own
// rules. No line is longer than 120 columns.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "gemm/core_problem.hpp"
#include "gemm/program.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "runtime/program/kernel_source.hpp"
#include "runtime/program/program_store.hpp"
#include "support/device_under_test.hpp"

namespace tilewright::test {
namespace {

GemmProblem problem_of(DataType type) {
  return {.type = type, .m = 64, .n = 64, .k = 64, .lda = 64, .ldb = 64, .ldc = 64};
}

std::string source_of(const detail::GemmVariant& variant) {
  const DeviceProfile& profile = device_under_test().profile;
  const GemmProblem problem = problem_of(DataType::f32);
  const Configuration configuration = variant.preferences(problem, profile).back();
  return detail::kernel_source(detail::gemm_source(variant, configuration, problem, profile).files);
}

// Adds the kernels that prepare a complex product.
std::string complex_source_of(const detail::GemmVariant& variant) {
  const DeviceProfile& profile = device_under_test().profile;
  const detail::CoreProblem core = detail::core_of(detail::normalized(problem_of(DataType::c64)), profile);
  const Configuration configuration = variant.preferences(core.problem, profile).back();
  return detail::kernel_source(detail::gemm_source(variant, configuration, core, profile).files);
}

std::string longest_line(const std::string& source) {
  std::istringstream lines(source);
  std::string longest;
  for (std::string line; std::getline(lines, line);)
    if (line.size() > longest.size()) longest = line;
  return longest;
}

}  // namespace

TEST_SUITE("kernel files") {
  TEST_CASE("every kernel compiles with its own defaults") {
    const DeviceProfile& profile = device_under_test().profile;
    const cl::Device device(device_under_test().id, true);
    detail::ProgramStore store;
    for (const detail::ElementType& element : detail::element_types())
      for (const detail::GemmVariant* variant : detail::gemm_registry()) {
        if (!detail::may_multiply(element.type) ||
            !detail::why_unsupported(*variant, problem_of(detail::part_of(element.type)), profile).empty())
          continue;
        const std::string options = "-cl-std=CL1.2" + detail::element_options(element.type);
        const std::string source = is_complex(element.type) ? complex_source_of(*variant) : source_of(*variant);
        CHECK_NOTHROW(store.get(shared_context(), device, {variant->name, source, options}));
      }
  }

  TEST_CASE("no line of a kernel is longer than 120 columns") {
    for (const detail::GemmVariant* variant : detail::gemm_registry()) {
      CAPTURE(variant->name);
      const std::string longest = longest_line(complex_source_of(*variant));
      CHECK_MESSAGE(longest.size() <= 120, longest);
    }
  }
}

}  // namespace tilewright::test
