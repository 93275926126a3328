#include <doctest/doctest.h>

#include <set>
#include <string>

#include "gemm/problem.hpp"
#include "gemm/variant.hpp"
#include "kernels/configuration_check.hpp"
#include "support/profiles.hpp"
#include "support/test_level.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/operations/variant_space.hpp"

namespace tilewright::test {
namespace {

using detail::GemmVariant;
using tuning::Random;
using tuning::Space;

const GemmProblem problem = detail::normalized({.type = DataType::f32, .m = 512, .n = 512, .k = 512});

bool valid(const GemmVariant& variant, const Configuration& configuration, const DeviceProfile& device) {
  return detail::violation(variant, values_of(variant, configuration), problem, device).empty();
}

std::size_t product(const GemmVariant& variant) {
  std::size_t result = 1;
  for (const detail::VariantParameter& parameter : variant.parameters) result *= parameter.values.size();
  return result;
}

// The configuration with this index, from 0 to product() - 1.
Configuration numbered(const GemmVariant& variant, std::size_t number) {
  Configuration configuration;
  for (const detail::VariantParameter& parameter : variant.parameters) {
    configuration.set(parameter.name, parameter.values[number % parameter.values.size()]);
    number /= parameter.values.size();
  }
  return configuration;
}

}  // namespace

TEST_SUITE("gemm space") {
  TEST_CASE("a complex product is tuned as its real core product") {
    const GemmProblem complex{
        .type = DataType::c64, .trans_b = Transpose::conjugate_transpose, .m = 20, .n = 30, .k = 50};
    const tuning::Problem tuned = tuning::tunable(complex);
    CHECK(tuned == tuning::tunable(detail::Operation<GemmProblem>::normalized(complex)));
    CHECK(tuned->element() == "f32");
    CHECK(tuned->work().operations == 8.0 * 20 * 30 * 50);
  }

  TEST_CASE("the space holds exactly the configurations that satisfy every rule") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()})
      for (const GemmVariant* variant : detail::Operation<GemmProblem>::variants()) {
        CAPTURE(device.name);
        CAPTURE(variant->name);
        if (product(*variant) > 20000) continue;
        std::set<std::string> expected;
        for (std::size_t i = 0; i < product(*variant); ++i)
          if (const auto configuration = numbered(*variant, i); valid(*variant, configuration, device))
            expected.insert(to_string(configuration));
        std::set<std::string> found;
        const Space space = tuning::variant_space(*variant, problem, device);
        tuning::Enumeration all(space);
        while (const auto configuration = all.next()) CHECK(found.insert(to_string(*configuration)).second);
        CHECK(found == expected);
      }
  }

  TEST_CASE("random configurations of the largest space satisfy the rules and differ") {
    const int draws = test_level() == TestLevel::quick ? 6 : 60;  // finding a valid one takes many tries
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu(), smallest_device()}) {
      CAPTURE(device.name);
      const Space space = tuning::variant_space(detail::find_variant<GemmProblem>("register_blocked"), problem, device);
      Random random(1);
      std::set<std::string> drawn;
      for (int i = 0; i < draws; ++i) {
        const auto point = space.random(random);
        REQUIRE(point.has_value());
        CHECK(valid(detail::find_variant<GemmProblem>("register_blocked"), *point, device));
        drawn.insert(to_string(*point));
      }
      CHECK(4 * drawn.size() > 3 * static_cast<std::size_t>(draws));
    }
  }

  TEST_CASE("the untuned choice is in the space") {
    for (const DeviceProfile& device : {typical_gpu(), typical_cpu()}) {
      const GemmVariant& variant = detail::find_variant<GemmProblem>("register_blocked");
      const Space space = tuning::variant_space(variant, problem, device);
      const Configuration untuned = configuration_of(variant, variant.preferences(problem, device).front());
      CAPTURE(to_string(untuned));
      CHECK(space.allows(untuned));
      CHECK_FALSE(space.neighbours(untuned).empty());
    }
  }
}

}  // namespace tilewright::test
