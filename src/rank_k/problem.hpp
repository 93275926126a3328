// Rank-k updates of one triangle in one form: products of op(A) and op(B), added to the triangle of C.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/rank_k.hpp"

namespace tilewright::detail {

/// A product of an n x k and a k x n matrix, each of which is A or B with a transpose of its own.
struct RankKTerm {
  std::size_t left = 0, right = 0;  ///< 0: A, 1: B
  Transpose trans_left = Transpose::no, trans_right = Transpose::no;
  bool conjugates_alpha = false;

  friend bool operator==(const RankKTerm&, const RankKTerm&) = default;
};

/// A problem with all sizes checked and all leading dimensions filled in. Rows, columns and the triangle are the
/// caller's.
struct RankKSystem {
  const char* name = "";
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Uplo uplo = Uplo::lower;
  bool is_hermitian = false;  ///< the type is complex, and the diagonal of C is real
  bool real_alpha = false;    ///< alpha must be real
  std::uint64_t n = 0, k = 0;
  std::array<StoredMatrix, 3> stored{};    ///< A, B and C in memory
  std::array<std::uint64_t, 3> strides{};  ///< of the batch: A, B and C
  std::uint64_t count = 1;                 ///< of the batch
  std::uint64_t offset_alignment = 1;
  std::size_t inputs = 1;  ///< 1: A; 2: A and B

  /// The products whose sum is added to C. If there are two, the second is the transpose of the first, or its conjugate
  /// transpose if C is Hermitian.
  std::vector<RankKTerm> terms{};

  bool empty() const { return n == 0 || count == 0; }
  bool is_mirrored() const { return terms.size() == 2; }
  /// Whether the triangle is the upper one in memory, where a line is a row of a row-major matrix.
  bool is_upper_in_memory() const { return (uplo == Uplo::upper) != (layout == Layout::column_major); }
  /// Returns the elements between consecutive rows of a matrix as the caller counts them.
  std::uint64_t row_step(std::size_t matrix) const { return layout == Layout::row_major ? stored[matrix].ld : 1; }
  std::uint64_t column_step(std::size_t matrix) const { return layout == Layout::row_major ? 1 : stored[matrix].ld; }
};

/// Check problems and bring them into the form above.
/// Throw Error(unsupported_type, invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands,
/// invalid_offset).
RankKSystem rank_k_system(const SyrkProblem& problem, const DeviceProfile& device);
RankKSystem rank_k_system(const Syr2kProblem& problem, const DeviceProfile& device);
RankKSystem rank_k_system(const GemmtProblem& problem, const DeviceProfile& device);

/// The data of one call.
struct RankKCall {
  Scalar alpha = 1, beta = 0;
  std::array<MatrixRef, 3> matrices{};  ///< A, B and C
  WorkspaceRef workspace{};
  bool event = true;
};

/// The scalars of a call, in the arithmetic of the elements.
struct RankKScalars {
  std::complex<double> alpha, beta;
};

/// Throws Error(invalid_scalar).
RankKScalars rank_k_scalars(const RankKSystem& system, const RankKCall& call);

/// Checks the operands of a call whose plan needs a workspace of `workspace_bytes`.
/// Throws Error(null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
/// invalid_workspace, workspace_too_small, overlapping_workspace).
void check_rank_k_operands(const cl::Context& context, const RankKSystem& system, const RankKCall& call,
                           const RankKScalars& scalars, std::uint64_t workspace_bytes);

}  // namespace tilewright::detail
