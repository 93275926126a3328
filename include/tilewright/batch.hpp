// Batches: several problems of the same sizes in one call.
#pragma once

#include <cstdint>

namespace tilewright {

/// Number of problems in one call, and the distances between their operands.
///
/// The x-th matrix A starts x * stride_a elements after the first, and so do the other operands with their own strides.
/// Each operation uses the strides of its operands; the other strides must be 0. An operand that is only read may have
/// the stride 0: then all problems share it. The problems' outputs must not share elements.
/// A call throws Error(invalid_batch) for a stride of an operand that the operation does not have.
struct Batch {
  std::uint64_t count = 1;  ///< number of problems; 0: the call does nothing

  std::uint64_t stride_a = 0;  ///< elements from one A to the next; for spmm, from the values of one A to the next
  std::uint64_t stride_b = 0;  ///< elements from one B to the next
  std::uint64_t stride_c = 0;  ///< elements from one C to the next

  std::uint64_t stride_x = 0;  ///< elements from one vector x to the next
  std::uint64_t stride_y = 0;  ///< elements from one vector y to the next
  std::uint64_t stride_z = 0;  ///< elements from one vector z to the next

  // Small outputs follow each other without gaps if their stride is 0.
  std::uint64_t stride_pivots = 0;       ///< 64-bit integers from the pivots of one matrix to those of the next
  std::uint64_t stride_info = 0;         ///< 64-bit integers from one info to the next
  std::uint64_t stride_determinant = 0;  ///< elements from one determinant to the next, each of which has two
  std::uint64_t stride_tau = 0;          ///< elements from the tau of one matrix to that of the next
  std::uint64_t stride_result = 0;       ///< elements from one result of a reduction to the next

  /// gemm only: the matrices start at GemmOperands::offsets, and all strides are ignored. gemm() sets it if the
  /// operands have offsets; a GemmPlan must know it.
  bool by_offsets = false;

  friend bool operator==(const Batch&, const Batch&) = default;
};

}  // namespace tilewright
