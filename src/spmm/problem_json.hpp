// Products in records and journals, which store statistics of the rows instead of their elements.
#pragma once

#include "selection/json.hpp"
#include "selection/operation.hpp"
#include "spmm/problem_fields.hpp"

namespace tilewright::detail {

/// The product that is tuned for such rows: A in the order of its rows, B and C row-major and densely stored, no batch.
/// Throws what core_of() throws.
SpmmCore tuned_core(DataType type, std::uint64_t n, const RowStatistics& rows);

/// Public records hold a SpmmShape instead of the tuned_core() that it describes.
template <>
struct StoredForm<SpmmShape> {
  using Type = SpmmCore;
  static SpmmCore stored(const SpmmShape& shape) { return tuned_core(shape.type, shape.n, shape.rows); }
  static SpmmShape loaded(const SpmmCore& core) { return {core.type, core.n, core.a}; }
};

template <>
struct RecordFormat<SpmmCore> {
  /// The JSON of a tuned_core().
  static nlohmann::ordered_json to_json(const SpmmCore& core);
  /// The tuned_core() of JSON. Throws std::exception if no matrix can have such statistics.
  static SpmmCore from_json(const nlohmann::json& values);
};

}  // namespace tilewright::detail
