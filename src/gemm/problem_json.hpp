// The JSON form of a problem in records and journals.
#pragma once

#include <string>

#include "gemm/problem_fields.hpp"
#include "selection/json.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

template <>
struct RecordFormat<GemmProblem> {
  static nlohmann::ordered_json to_json(const GemmProblem& problem);
  /// Returns the problem in its row-major form. Throws std::exception with a reason, also for sizes that no device can
  /// have.
  static GemmProblem from_json(const nlohmann::json& values);
};

}  // namespace tilewright::detail
