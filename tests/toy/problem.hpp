// A toy operation: copies bytes. It has all that an operation must have, and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "selection/field_json.hpp"
#include "selection/operation.hpp"
#include "selection/problem_fields.hpp"

namespace tilewright {

struct ToyProblem {
  std::uint64_t bytes = 0;

  friend bool operator==(const ToyProblem&, const ToyProblem&) = default;
};

namespace detail {

template <>
struct Fields<ToyProblem> {
  static constexpr std::tuple list{field(&ToyProblem::bytes, "bytes")};
};

template <>
struct RecordFormat<ToyProblem> {
  static nlohmann::ordered_json to_json(const ToyProblem& problem);
  static ToyProblem from_json(const nlohmann::json& values);
};

template <>
struct Operation<ToyProblem> {
  static constexpr std::string_view name = "toy";
  static std::uint64_t batch(const ToyProblem&) { return 0; }
  static double depth(const ToyProblem&) { return 1; }
  static std::span<const Variant<ToyProblem>* const> variants();
  static ToyProblem normalized(const ToyProblem& problem) { return problem; }
  static std::string unsupported_type(const ToyProblem&, const DeviceProfile&) { return {}; }
  static UntunedChoice<ToyProblem> untuned(const ToyProblem& problem, const DeviceProfile& device);
  static bool is_trivial(const ToyProblem& problem) { return problem.bytes == 0; }
  static double work(const ToyProblem& problem) { return 2 * static_cast<double>(problem.bytes); }
  static bool same_kind(const ToyProblem&, const ToyProblem&) { return true; }
  static double distance(const ToyProblem& left, const ToyProblem& right);
  static std::string label(const ToyProblem& problem) { return std::to_string(problem.bytes) + " bytes"; }
};

}  // namespace detail
}  // namespace tilewright
