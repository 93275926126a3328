// A problem as records and journals hold it.
#pragma once

#include "selection/json.hpp"
#include "selection/operation.hpp"
#include "transpose/problem_fields.hpp"

namespace tilewright::detail {

template <>
struct RecordFormat<TransposeProblem> {
  static nlohmann::ordered_json to_json(const TransposeProblem& problem);
  /// The problem in its row-major form, of sizes that a device can have. Throws std::exception with what is wrong.
  static TransposeProblem from_json(const nlohmann::json& values);
};

}  // namespace tilewright::detail
