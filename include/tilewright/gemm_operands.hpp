// The operands of a general matrix product: the data of one call.
#pragma once

#include <cstdint>
#include <span>

#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// Where the matrices of a batch start, in elements after the first elements of A, B and C of the call. Each span has
/// batch.count entries, and is only read during the call.
struct GemmOffsets {
  std::span<const std::uint64_t> a{};  ///< of each A
  std::span<const std::uint64_t> b{};  ///< of each B
  std::span<const std::uint64_t> c{};  ///< of each C
};

/// Own scalars of the products of a batch. Each span has batch.count entries, or is empty if all products use the
/// scalar of the call. The spans are only read during the call.
///
/// Consecutive products with equal scalars run in one launch. A product with alpha = 0 does not use its A and B, but
/// their buffers must contain them. With beta = 1 as well, and no epilogue, its C stays unchanged.
struct GemmScalars {
  std::span<const Scalar> alpha{};  ///< alpha of each product
  std::span<const Scalar> beta{};   ///< beta of each product
};

class PackedMatrix;

/// The data of one call.
///
/// The parts of alpha and beta are rounded to double if `type` is f64 or c128, otherwise to float. Only complex
/// problems accept an imaginary part other than 0. Exact products of i8 and u8 accept whole numbers from -2^31 to 2^31
/// - 1.
struct GemmOperands {
  Scalar alpha = 1;  ///< 0: A and B are not read and may be null
  MatrixRef a{};     ///< not read if k = 0; may then be null
  MatrixRef b{};     ///< not read if k = 0; may then be null
  Scalar beta = 0;   ///< 0: C is not read. 1 with alpha = 0 or k = 0, and no epilogue: C stays unchanged
  MatrixRef c{};     ///< overwritten with the result

  /// Where the matrices of the batch start, if the problem's batch.by_offsets is set; otherwise empty.
  GemmOffsets offsets{};

  const PackedMatrix* packed_a = nullptr;  ///< prepacked A; `a` is then ignored
  const PackedMatrix* packed_b = nullptr;  ///< prepacked B; `b` is then ignored

  /// Device memory for this call alone, at least GemmPlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  GemmScalars scalars{};  ///< instead of alpha and beta, for the products of a batch

  /// If false, the call may return an empty Event. Saves about 2 us of device time per call on NVIDIA GPUs. Later
  /// commands of an in-order queue still wait for the call. If the call used the engine's shared workspace, a call on
  /// another queue that needs it waits for everything enqueued here so far.
  bool event = true;

  // The operands that the epilogue names; others are ignored. All products of a batch share `scale` and `bias`. None
  // may share elements with C: use beta for C = product + C.
  MatrixRef scale{};     ///< m or n numbers of accumulator_of(type), or f32 if the type is i8 or u8; contiguous
  MatrixRef bias{};      ///< m or n numbers of the same type as `scale`; contiguous
  MatrixRef residual{};  ///< an m x n matrix of the type of C
};

}  // namespace tilewright
