#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/element_type.hpp"
#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright {
struct GemmOffsets;
struct GemmOperands;
}  // namespace tilewright

namespace tilewright::detail {

/// Returns the form that variants see: row-major, with all leading dimensions filled in. A column-major product becomes
/// the row-major product of its transposes: C^T = op(B)^T op(A)^T, so A and B are exchanged, as are m and n, and rows
/// and columns of the epilogue. Strides lower the alignment that is promised for offsets; unused strides are 0.
/// `type_c` is set only if it differs from the default. Real matrices are not conjugated. Throws
/// Error(unsupported_type, invalid_leading_dimension, size_overflow, invalid_offset, overlapping_operands).
GemmProblem normalized(const GemmProblem& problem);

// The operands as a normalized problem stores them.
StoredMatrix stored_a(const GemmProblem& problem);
StoredMatrix stored_b(const GemmProblem& problem);
StoredMatrix stored_c(const GemmProblem& problem);

/// Whether rows of C, and of a residual, can be accessed in vectors of `width` elements.
bool c_in_vectors(const GemmProblem& problem, std::int64_t width);

/// The type of the elements of C.
inline DataType type_of_c(const GemmProblem& problem) {
  return problem.type_c.value_or(default_type_of_c(problem.type));
}

/// The accuracy with this name, if any.
std::optional<Accuracy> find_accuracy(std::string_view name);

/// Throws Error(unsupported_type) if no product has these types, or none with these types has this accuracy.
void check_types(const GemmProblem& problem);

/// A, B or C with the caller's name, and the matrix that it is in a normalized problem.
struct NamedMatrix {
  OperandLabel label;
  std::uint64_t GemmProblem::*ld;
  std::uint64_t Batch::*stride;
  StoredMatrix (*stored)(const GemmProblem&);
  DataType (*type)(const GemmProblem&);
  MatrixRef GemmOperands::*ref;
  std::span<const std::uint64_t> GemmOffsets::*offsets;
};

/// A, B and C in the caller's order, for a normalized problem that originally had this layout.
const std::array<NamedMatrix, 3>& matrices_of_caller(Layout layout);

/// Whether kernels receive strides or offsets of the matrices of each product.
inline bool is_batched(const GemmProblem& problem) { return problem.batch.count != 1 || problem.batch.by_offsets; }

/// Whether there is nothing to compute.
inline bool is_empty(const GemmProblem& problem) {
  return problem.m == 0 || problem.n == 0 || problem.batch.count == 0;
}

/// Whether the index of an element within its matrix, or a size rounded up to whole tiles, can exceed 2^31 - 1.
bool needs_64_bit_indices(const GemmProblem& problem);

}  // namespace tilewright::detail
