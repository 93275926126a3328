// A problem as records and journals hold it.
#pragma once

#include <string>

#include "gemm/problem.hpp"
#include "selection/json.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

template <>
struct RecordFormat<GemmProblem> {
  static nlohmann::ordered_json to_json(const GemmProblem& problem);
  /// The problem in its row-major form, of sizes that a device can have. Throws std::exception with what is wrong.
  static GemmProblem from_json(const nlohmann::json& values);
};

}  // namespace tilewright::detail
