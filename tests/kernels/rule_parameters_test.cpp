#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gemm/registry.hpp"
#include "support/profiles.hpp"
#include "tilewright/error.hpp"
#include "transpose/registry.hpp"
#include "verification/check/rule_samples.hpp"

namespace tilewright::test {
namespace {

using detail::GemmVariant;
using detail::TransposeVariant;
using detail::Variant;
using Names = std::vector<std::string_view>;

template <class P>
struct Sample {
  Configuration configuration;
  P problem;
  DeviceProfile device;
};

// Samples that satisfy and that break each rule.
template <class P>
std::vector<Sample<P>> samples_of(const Variant<P>& variant, const std::vector<P>& problems) {
  DeviceProfile gpu = typical_nvidia_gpu();
  gpu.architecture = "sm_90";
  std::vector<Sample<P>> result;
  for (const P& problem : problems)
    for (const DeviceProfile& device : {gpu, typical_cpu()}) {
      std::vector<Configuration> bases = variant.preferences(problem, device);
      std::erase_if(bases, [&](const Configuration& base) {
        return verification::broken_constraint(variant, base, problem, device) != nullptr;
      });
      const auto samples = verification::sample_rules(variant, problem, device, std::move(bases));
      for (const Configuration& inside : samples.inside) result.push_back({inside, problem, device});
      for (const auto& outside : samples.outside) result.push_back({outside.configuration, problem, device});
    }
  return result;
}

Configuration only(const Names& names, const Configuration& configuration) {
  Configuration result;
  for (const std::string_view name : names) result.set(name, configuration[name]);
  return result;
}

// The samples that satisfy a rule's prerequisites: those of the first `count` constraints that read no other names.
template <class P>
std::vector<Sample<P>> keeping(const Variant<P>& variant, std::size_t count, const Names& names,
                               std::vector<Sample<P>> samples) {
  for (std::size_t i = 0; i < count; ++i) {
    const detail::Constraint<P>& earlier = variant.constraints[i];
    const bool looks_at_others =
        std::any_of(earlier.parameters.begin(), earlier.parameters.end(),
                    [&](std::string_view name) { return std::find(names.begin(), names.end(), name) == names.end(); });
    if (looks_at_others) continue;
    std::erase_if(samples, [&](const Sample<P>& sample) {
      return !earlier.holds(sample.configuration, sample.problem, sample.device);
    });
  }
  return samples;
}

// Checks that `look` reads only the named parameters, and reads each of them in some sample.
template <class P, class Look>
void check_names(const Names& names, const std::vector<Sample<P>>& samples, const Look& look) {
  const auto lacks_any = [&](const Names& left, const Sample<P>& sample) {
    try {
      look(only(left, sample.configuration), sample.problem, sample.device);
      return false;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unknown_parameter) throw;
      return true;
    }
  };
  CHECK(samples.size() >= 10);
  for (const Sample<P>& sample : samples) {
    CAPTURE(to_string(sample.configuration));
    REQUIRE_FALSE(lacks_any(names, sample));
  }
  for (const std::string_view name : names) {
    CAPTURE(std::string(name));
    Names others = names;
    std::erase(others, name);
    CHECK(std::any_of(samples.begin(), samples.end(),
                      [&](const Sample<P>& sample) { return lacks_any(others, sample); }));
  }
}

template <class P>
void check_rules(const Variant<P>& variant, const std::vector<P>& problems) {
  CAPTURE(std::string(variant.name));
  const auto samples = samples_of(variant, problems);
  for (std::size_t i = 0; i < variant.constraints.size(); ++i) {
    const detail::Constraint<P>& constraint = variant.constraints[i];
    CAPTURE(std::string(constraint.rule));
    check_names(constraint.parameters, keeping(variant, i, constraint.parameters, samples),
                [&](const Configuration& c, const P& p, const DeviceProfile& d) { constraint.holds(c, p, d); });
  }
  const auto check_function = [&](const std::string& function, const Names& names, const auto& call) {
    CAPTURE(function);
    if (!names.empty()) check_names(names, keeping(variant, variant.constraints.size(), names, samples), call);
  };
  check_function("launches", variant.launches_from, variant.launches);
  check_function("local_bytes", variant.local_bytes_from,
                 [&](const Configuration& c, const P& p, const DeviceProfile&) { variant.local_bytes(c, p); });
}

}  // namespace

TEST_SUITE("rule parameters") {
  TEST_CASE("gemm's rules read the parameters that they name") {
    for (const GemmVariant* const variant : detail::gemm_registry()) {
      const DataType type = variant->types.front();
      check_rules(
          *variant,
          {detail::normalized(GemmProblem{.type = type, .m = 64, .n = 64, .k = 4096}),
           detail::normalized(GemmProblem{
               .type = type, .trans_a = Transpose::yes, .trans_b = Transpose::yes, .m = 67, .n = 67, .k = 67})});
    }
  }

  TEST_CASE("transpose's rules read the parameters that they name") {
    // Rules for elements of 16 bytes read the vector width only for those elements.
    for (const TransposeVariant* const variant : detail::transpose_registry())
      check_rules(*variant, {detail::normalized(TransposeProblem{.type = DataType::f32, .m = 64, .n = 64}),
                             detail::normalized(TransposeProblem{.type = Element::of_bytes(16), .m = 67, .n = 67})});
  }
}

}  // namespace tilewright::test
