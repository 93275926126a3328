#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/element_type.hpp"
#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// The form that variants see: row-major, leading dimensions filled in.
/// A column-major product becomes the row-major product of its transposes: C^T = op(B)^T op(A)^T, so A and B change
/// places, and so do m and n, and rows and columns of the epilogue. Strides lower the alignment that is promised for
/// offsets; those that are not used are 0. `type_c` is set where it is not the usual one, and only there, and real
/// numbers are not conjugated. Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, invalid_offset,
/// overlapping_operands).
GemmProblem normalized(const GemmProblem& problem);

// The operands as a normalized problem stores them.
StoredMatrix stored_a(const GemmProblem& problem);
StoredMatrix stored_b(const GemmProblem& problem);
StoredMatrix stored_c(const GemmProblem& problem);

/// Whether rows of C, and of what is added to it, can be accessed in vectors of `width` elements.
bool c_in_vectors(const GemmProblem& problem, std::int64_t width);

/// Of the elements of C.
inline DataType type_of_c(const GemmProblem& problem) {
  return problem.type_c.value_or(default_type_of_c(problem.type));
}

/// The accuracy of that name, if there is one.
std::optional<Accuracy> find_accuracy(std::string_view name);

/// Throws Error(unsupported_type) where there is no product of these types, or none so exact.
void check_types(const GemmProblem& problem);

/// A, B or C as the caller calls it, and what it is in a normalized problem.
struct NamedMatrix {
  OperandLabel label;
  std::uint64_t GemmProblem::*ld;
  std::uint64_t Batch::*stride;
  StoredMatrix (*stored)(const GemmProblem&);
  DataType (*type)(const GemmProblem&);
  MatrixRef GemmOperands::*ref;
  std::span<const std::uint64_t> GemmOffsets::*offsets;
};

/// A, B and C in the order in which the caller gives them, for a problem that was of this layout before it was
/// normalized.
const std::array<NamedMatrix, 3>& matrices_of_caller(Layout layout);

/// Whether kernels are told where the matrices of each product are.
inline bool is_batched(const GemmProblem& problem) { return problem.batch.count != 1 || problem.batch.by_offsets; }

/// Whether there is nothing to compute.
inline bool is_empty(const GemmProblem& problem) {
  return problem.m == 0 || problem.n == 0 || problem.batch.count == 0;
}

/// Whether an element's index within its matrix, or a size rounded up to whole tiles, can pass 2^31 - 1.
bool needs_64_bit_indices(const GemmProblem& problem);

}  // namespace tilewright::detail
