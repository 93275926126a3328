// The fields of a sparse product, listed once.
#pragma once

#include <tuple>

#include "selection/problem_fields.hpp"
#include "spmm/problem.hpp"

namespace tilewright::detail {

template <>
struct Fields<RowStatistics> {
  static constexpr std::tuple list{field(&RowStatistics::rows, "m"),
                                   field(&RowStatistics::columns, "k"),
                                   field(&RowStatistics::nonzeros, "nonzeros"),
                                   field(&RowStatistics::longest, "longest_row"),
                                   field(&RowStatistics::empty_rows, "empty_rows", 0),
                                   field(&RowStatistics::deviation, "deviation", 0),
                                   field(&RowStatistics::spread, "spread", 0),
                                   field(&RowStatistics::mean)};
};

/// The fields without a name have the values of a tuned_core() in JSON.
template <>
struct Fields<SpmmCore> {
  static constexpr std::tuple list{field(&SpmmCore::type, "type"), field(&SpmmCore::a, ""),
                                   field(&SpmmCore::n, "n"),       field(&SpmmCore::ldb),
                                   field(&SpmmCore::ldc),          field(&SpmmCore::layout_b),
                                   field(&SpmmCore::layout_c),     field(&SpmmCore::permuted),
                                   field(&SpmmCore::batch),        field(&SpmmCore::chunks)};
};

}  // namespace tilewright::detail
