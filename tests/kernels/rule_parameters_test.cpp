#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gemm/variant.hpp"
#include "spmm/variant.hpp"
#include "support/profiles.hpp"
#include "support/test_level.hpp"
#include "transpose/variant.hpp"
#include "verification/check/rule_samples.hpp"

namespace tilewright::test {
namespace {

using detail::ParameterMember;
using detail::ParameterValues;
using detail::Variant;

template <class P>
struct Sample {
  ParameterValues values;
  const P* problem;
  const DeviceProfile* device;
};

// Keeps every fifth element.
template <class T>
void thin(std::vector<T>& all) {
  std::size_t index = 0;
  std::erase_if(all, [&](const T&) { return index++ % 5 != 0; });
}

// Samples that satisfy and that break each rule.
template <class P>
std::vector<Sample<P>> samples_of(const Variant<P>& variant, const std::vector<P>& problems,
                                  const std::vector<DeviceProfile>& devices) {
  std::vector<Sample<P>> result;
  for (const P& problem : problems)
    for (const DeviceProfile& device : devices) {
      std::vector<ParameterValues> bases = variant.preferences(problem, device);
      std::erase_if(bases, [&](const ParameterValues& base) {
        return verification::broken_constraint(variant, base, problem, device) != nullptr;
      });
      const auto samples = verification::sample_rules(variant, problem, device, std::move(bases));
      for (const ParameterValues& inside : samples.inside) result.push_back({inside, &problem, &device});
      for (const auto& outside : samples.outside) result.push_back({outside.values, &problem, &device});
    }
  if (test_level() == TestLevel::quick) thin(result);
  return result;
}

// The parameters that a rule names, by index.
template <class P>
std::vector<bool> named(const Variant<P>& variant, std::span<const ParameterMember> members) {
  std::vector<bool> result(variant.parameters.size(), false);
  for (const ParameterMember& member : members) result[member.index] = true;
  return result;
}

// Whether a sample satisfies a rule's prerequisites: those of the first `count` constraints that name no other
// parameters.
template <class P>
bool is_ready(const Variant<P>& variant, std::size_t count, const std::vector<bool>& names, const Sample<P>& sample) {
  for (std::size_t i = 0; i < count; ++i) {
    const detail::Constraint<P>& earlier = variant.constraints[i];
    const bool names_others = std::any_of(earlier.parameters.begin(), earlier.parameters.end(),
                                          [&](const ParameterMember& member) { return !names[member.index]; });
    if (!names_others && !earlier.holds(sample.values, *sample.problem, *sample.device)) return false;
  }
  return true;
}

// Copies of a sample with other values of one parameter.
template <class P>
std::vector<Sample<P>> changed(const Sample<P>& sample, const detail::VariantParameter& parameter) {
  std::vector<std::int64_t> values(parameter.values.begin(), parameter.values.end());
  values.insert(values.end(), {1, 2, 3, 65, 1024});
  std::vector<Sample<P>> result;
  for (const std::int64_t value : values) {
    result.push_back(sample);
    result.back().values.set({parameter.member, value});
  }
  return result;
}

// Checks that the result of `look` depends on the named parameters, on each of them in some sample, and on no others.
template <class P, class Look>
void check_names(const Variant<P>& variant, std::size_t count, const std::vector<bool>& names,
                 std::vector<Sample<P>> samples, const Look& look) {
  std::erase_if(samples, [&](const Sample<P>& sample) { return !is_ready(variant, count, names, sample); });
  CHECK(samples.size() >= 10);
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(std::string(variant.parameters[i].name));
    bool matters = false;
    for (const Sample<P>& sample : samples) {
      const auto result = look(sample);
      for (const Sample<P>& other : changed(sample, variant.parameters[i]))
        matters = matters || (is_ready(variant, count, names, other) && !(look(other) == result));
      if (matters) break;
    }
    const char* const wrong = matters ? "reads this parameter, which its list of parameters lacks"
                                      : "never depends on this parameter, which its list of parameters has";
    CHECK_MESSAGE(matters == names[i], wrong);
  }
}

using Groups = std::vector<std::vector<std::size_t>>;

template <class P>
void check_rules(const Variant<P>& variant, const std::vector<P>& problems) {
  CAPTURE(std::string(variant.name));
  DeviceProfile gpu = typical_nvidia_gpu();
  gpu.architecture = "sm_90";
  const std::vector<DeviceProfile> devices{gpu, typical_cpu()};
  const auto samples = samples_of(variant, problems, devices);
  const std::size_t all = variant.constraints.size();
  for (std::size_t i = 0; i < all; ++i) {
    const detail::Constraint<P>& constraint = variant.constraints[i];
    CAPTURE(std::string(constraint.rule));
    check_names(variant, i, named(variant, constraint.parameters), samples, [&](const Sample<P>& sample) {
      return constraint.holds(sample.values, *sample.problem, *sample.device);
    });
  }
  if (!variant.execution_from.empty()) {
    CAPTURE("execution");
    check_names(variant, all, named(variant, variant.execution_from), samples, [&](const Sample<P>& sample) {
      Groups result;
      for (const auto& launch : variant.execution(sample.values, *sample.problem, *sample.device).launches) {
        result.push_back(launch.global);
        result.push_back(launch.local);
        for (const detail::KernelArgument& argument : launch.arguments) result.push_back({argument.value});
      }
      return result;
    });
  }
  if (!variant.memory.local_bytes_from.empty()) {
    CAPTURE("local_bytes");
    check_names(variant, all, named(variant, variant.memory.local_bytes_from), samples,
                [&](const Sample<P>& sample) { return variant.memory.local_bytes(sample.values, *sample.problem); });
  }
}

}  // namespace

TEST_SUITE("rule parameters") {
  TEST_CASE("gemm's rules read the parameters that they name") {
    for (const detail::GemmVariant* const variant : detail::Operation<GemmProblem>::variants()) {
      std::vector<GemmProblem> problems;
      const auto add = [&](DataType type, Transpose trans, std::uint64_t size, std::uint64_t k) {
        problems.push_back(
            detail::normalized({.type = type, .trans_a = trans, .trans_b = trans, .m = size, .n = size, .k = k}));
      };
      add(variant->needs.types.front(), Transpose::no, 64, 4096);
      add(variant->needs.types.front(), Transpose::no, 700, 2048);
      add(variant->needs.types.end()[-1], Transpose::yes, 67, 67);
      check_rules(*variant, problems);
    }
  }

  TEST_CASE("transpose's rules read the parameters that they name") {
    // Rules for elements of 16 bytes read the vector width only for those elements.
    for (const detail::TransposeVariant* const variant : detail::Operation<TransposeProblem>::variants())
      check_rules(*variant, {detail::normalized(TransposeProblem{.type = DataType::f32, .m = 64, .n = 64}),
                             detail::normalized(TransposeProblem{.type = Element::of_bytes(16), .m = 67, .n = 67})});
  }

  TEST_CASE("spmm's rules read the parameters that they name") {
    for (const detail::SpmmVariant* const variant : detail::Operation<detail::SpmmCore>::variants())
      check_rules(*variant,
                  {detail::SpmmCore{
                      .n = 8, .ldb = 8, .ldc = 8, .a = {.rows = 400, .columns = 400, .nonzeros = 3000, .mean = 7.5}}});
  }
}

}  // namespace tilewright::test
