// A device limits the work-groups per dimension (NVIDIA: 65535 in the second and third). This test lowers the limit
// until every grid takes many launches, in every dimension.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "gemm/variant.hpp"
#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_problem.hpp"
#include "verification/gemm/gemm_trial.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

// Records the dimensions in which some launch of the choice exceeds the device's limit on work-groups.
void note_exceeded(const GemmCase& test, const DeviceProfile& device, std::array<bool, 3>& exceeded) {
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(test.variant);
  const GemmProblem problem = detail::normalized(problem_of(test));
  const Explanation chosen = explain_gemm(device, problem_of(test), {test.variant, test.configuration});
  const detail::ParameterValues values = values_of(variant, chosen.configuration);
  const detail::Execution execution = complete_execution(variant, values, problem, device);
  for (const detail::Launch& pass : execution.launches) {
    CHECK(pass.max_groups == device.max_work_groups);
    for (std::size_t d = 0; d < pass.global.size(); ++d)
      if (pass.global[d] / pass.local[d] > device.max_work_groups[d]) exceeded[d] = true;
  }
}

struct Shape {
  std::uint64_t m, n, k, products;
};

void check_shapes(const Engine& engine, const VariantInfo& variant, const Configuration& configuration,
                  const std::vector<Shape>& shapes) {
  std::array<bool, 3> exceeded{};
  for (const Shape& shape : shapes) {
    GemmCase test{.variant = variant.name, .configuration = configuration};
    test.type = variant.name == "tensor_f64" ? DataType::f64 : DataType::f32;
    test.m = shape.m;
    test.n = shape.n;
    test.k = shape.k;
    test.products = shape.products;
    test.data = DataKind::integers;
    test.alpha = 2;
    test.beta = -1;
    const Support support = gemm_support(engine.profile(), variant.name, problem_of(test));
    if (!support.supported) return count_skip("grid limits of " + variant.name, support.reason);
    note_exceeded(test, engine.profile(), exceeded);
    const std::string wrong = try_gemm_case(engine, test, count_kernel);
    CHECK_MESSAGE(wrong.empty(), wrong, "\n  case: ", to_string(test));
    count_cases();
  }
  if (variant.name != "team_per_product") CHECK((exceeded[0] || exceeded[1]));  // which has one group per product
  CHECK(exceeded[2]);
}

}  // namespace

TEST_SUITE("grid limits") {
  TEST_CASE("a grid beyond the device's limit takes several launches") {
    const Engine engine(device_under_test());
    DeviceProfile device = engine.profile();
    device.max_work_groups = {2, 2, 2};
    state_of(engine).set_profile(device);
    for (const VariantInfo& variant : third_of_variants(1)) {
      CAPTURE(variant.name);
      std::vector<Configuration> configurations;
      if (test_level() != TestLevel::quick) configurations = variant.strategies;
      configurations.insert(configurations.begin(), Configuration{});
      for (const Configuration& configuration : configurations)
        check_shapes(engine, variant, configuration, {{389, 21, 37, 3}, {21, 389, 37, 3}});
      for (const Parameter& parameter : variant.parameters)
        if (parameter.name == "slice_k")
          check_shapes(engine, variant, {{"slice_k", 8}}, {{131, 67, 200, 3}, {21, 19, 200, 1}});
    }
  }
}

}  // namespace tilewright::test
