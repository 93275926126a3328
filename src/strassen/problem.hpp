#pragma once

#include <array>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::detail {

/// The form that the method sees: row-major, leading dimensions filled in. A column-major product is the row-major one
/// of its transposes, so A and B change places. Throws Error(unsupported_type, invalid_batch,
/// invalid_leading_dimension, invalid_offset, size_overflow).
GemmProblem strassen_product(const GemmProblem& problem);

/// A, B and C as such a form stores them.
std::array<StoredMatrix, 3> strassen_stored(const GemmProblem& product);

/// What the caller calls these three.
std::array<OperandLabel, 3> strassen_labels(Layout layout_of_caller);

}  // namespace tilewright::detail
