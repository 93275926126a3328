// The problem that the operations on a triangle and vectors share, and the checks of problems and calls.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/fixed_list.hpp"
#include "kernels/operands/operand_check.hpp"
#include "tilewright/batch.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

inline constexpr OperandLabel level2_a{"A", OperandName::a}, level2_x{"x", OperandName::x},
    level2_y{"y", OperandName::y};

/// A vector of n elements.
struct Level2Vector {
  OperandLabel label{};
  std::int64_t increment = 1;
  std::uint64_t stride = 0;  ///< from one vector of the batch to the next
};

/// A triangle of an n x n matrix A, and one or two vectors of n elements.
struct Level2Problem {
  const char* function = "";  ///< the caller's, for messages
  DataType type{};
  Layout layout{};
  Uplo uplo{};
  std::uint64_t n = 0, lda = 0;
  std::uint64_t offset_alignment = 1;
  Batch batch{};
  FixedList<Level2Vector, 2> vectors{};
  const char* written = "";  ///< label of the operand that the function writes

  bool empty() const { return n == 0 || batch.count == 0; }
  /// Whether the triangle is the upper one of the row-major matrix in memory. A column-major matrix is the transpose of
  /// that matrix.
  bool is_upper() const { return (uplo == Uplo::upper) != (layout == Layout::column_major); }
  StoredMatrix stored_a() const { return {n, n, lda}; }
  /// The increment of a single element is not used.
  StoredMatrix stored(const Level2Vector& vector) const;
};

/// Returns the problem with its leading dimension filled in, and without strides if there is a single problem.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_increment, invalid_batch, size_overflow,
/// overlapping_operands, invalid_offset).
Level2Problem checked(Level2Problem problem, const DeviceProfile& device);

/// An operand of a call. `vector` is null for A.
struct Level2Operand {
  const Level2Vector* vector = nullptr;
  MatrixRef ref{};
  bool read = true;
  const char* why_read = "";
};

/// Checks the operands of a call, in their order, and the lent workspace. Throws Error(null_object, foreign_object,
/// invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace, workspace_too_small,
/// overlapping_workspace).
void check_level2_operands(const cl::Context& context, const Level2Problem& problem,
                           std::span<const Level2Operand> operands, const WorkspaceRef& lent,
                           std::uint64_t workspace_bytes);

}  // namespace tilewright::detail
