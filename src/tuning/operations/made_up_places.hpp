#pragma once

#include "tilewright/sparse.hpp"
#include "tuning/operations/spmm_tunable.hpp"

namespace tilewright::tuning {

/// Places for a matrix of which only this is known, the same on every machine. As many rows, columns, elements and
/// empty rows, and as long a longest row; lengths that deviate, and elements that spread about the diagonal, about as
/// much; rows of all lengths in no order. The statistics are those of a matrix, as records are read.
SparsePlaces made_up_places(const RowStatistics& rows);

}  // namespace tilewright::tuning
