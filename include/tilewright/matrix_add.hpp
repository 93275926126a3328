// Addition of matrices that may be transposed: C = alpha op(A) + beta op(B).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tilewright/batch.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// One sum to do, or a batch of them. op(A), op(B) and C are m x n.
/// Sizes, leading dimensions, strides and offsets are in elements.
struct MatrixAddProblem {
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  /// Elements from one row (row-major) or column (column-major) of the stored matrix to the next; 0 means densely
  /// stored.
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  std::uint64_t ldc = 0;
  Batch batch{};

  friend bool operator==(const MatrixAddProblem&, const MatrixAddProblem&) = default;
};

/// The matrices and scalars of one call. Except in f64 problems, the scalars are rounded to float and sums are in
/// float; each result is rounded once where it is stored in fewer bits.
/// alpha = 0: A is not read and may be null; beta = 0: the same for B.
/// C may be A, B or both, as in the geam functions of vendors' libraries: C then has the buffer and the offset of that
/// input, which is not transposed and has C's leading dimension and stride. The result has the same bits as in a buffer
/// of its own. Any other overlap of C with an input that is read is refused.
struct MatrixAddOperands {
  Scalar alpha = 1;
  MatrixRef a{};
  Scalar beta = 0;
  MatrixRef b{};
  MatrixRef c{};
};

/// A problem with its compiled kernel, ready to be enqueued as often as wanted. Safe to use from many threads.
class MatrixAddPlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store.
  /// Throws Error(unsupported_type, invalid_leading_dimension, overlapping_operands, size_overflow, build_failed,
  /// out_of_memory).
  TILEWRIGHT_API MatrixAddPlan(const Engine& engine, const MatrixAddProblem& problem);
  TILEWRIGHT_API ~MatrixAddPlan();
  TILEWRIGHT_API MatrixAddPlan(MatrixAddPlan&&) noexcept;
  TILEWRIGHT_API MatrixAddPlan& operator=(MatrixAddPlan&&) noexcept;

  /// Enqueues the sum after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued, in most cases one launch, see Event::times(); never blocks,
  /// never allocates device memory. Everything is checked before anything is enqueued, A before B before C: throws
  /// Error(null_object, foreign_object, failed_wait, invalid_buffer, buffer_too_small, overlapping_operands,
  /// device_lost, out_of_memory, opencl_failure), whose operand() is the one that is wrong.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const MatrixAddOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const MatrixAddProblem& problem() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and a launch.
/// Throws what MatrixAddPlan's constructor and MatrixAddPlan::enqueue throw.
TILEWRIGHT_API Event matrix_add(const Engine& engine, cl_command_queue queue, const MatrixAddProblem& problem,
                                const MatrixAddOperands& operands, std::span<const cl_event> waits = {});

}  // namespace tilewright
