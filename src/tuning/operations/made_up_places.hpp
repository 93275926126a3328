// Element positions for a sparse matrix of which only statistics are known.
#pragma once

#include "tilewright/sparse.hpp"
#include "tuning/operations/spmm_tunable.hpp"

namespace tilewright::tuning {

/// Returns element positions for a matrix with the given statistics, equal on every machine. Rows, columns, elements,
/// empty rows and the longest row are met exactly. The deviation of the lengths and the spread about the diagonal are
/// met approximately. Rows of all lengths come in no order. The statistics must be those of a matrix, which reading a
/// record ensures.
SparsePlaces made_up_places(const RowStatistics& rows);

}  // namespace tilewright::tuning
