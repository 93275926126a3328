// A product as records and journals hold it: by what is known of the rows, not by their elements.
#pragma once

#include "selection/json.hpp"
#include "selection/operation.hpp"
#include "spmm/problem.hpp"

namespace tilewright::detail {

/// The product that is tuned for rows like these: A in their order, B and C row-major and without gaps, no batch.
/// Throws what core_of() throws.
SpmmCore tuned_core(DataType type, std::uint64_t n, const RowStatistics& rows);

template <>
struct RecordFormat<SpmmCore> {
  /// Of tuned_core().
  static nlohmann::ordered_json to_json(const SpmmCore& core);
  /// A tuned_core() whose statistics a matrix can have. Throws std::exception with what is wrong.
  static SpmmCore from_json(const nlohmann::json& values);
};

}  // namespace tilewright::detail
