#pragma once

#include <array>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::detail {

/// The form that the method works on: row-major, with leading dimensions filled in. A column-major product is the
/// row-major product of the transposes, so A and B swap. Throws Error(unsupported_type, unsupported_variant,
/// invalid_batch, invalid_leading_dimension, invalid_offset, size_overflow).
GemmProblem strassen_product(const GemmProblem& problem);

/// A, B and C as the product in this form stores them.
std::array<StoredMatrix, 3> strassen_stored(const GemmProblem& product);

/// The caller's names of these three matrices.
std::array<OperandLabel, 3> strassen_labels(Layout layout_of_caller);

}  // namespace tilewright::detail
