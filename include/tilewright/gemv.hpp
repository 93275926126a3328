// Matrix times vector, y = alpha op(A) x + beta y, and the outer product of two vectors, A = alpha x op(y) + A.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// One product to do, or a batch of them. A is m x n, as in BLAS; x has n elements and y has m, where A is transposed
/// x has m and y has n. Sizes, increments, strides and offsets are in elements.
struct GemvProblem {
  DataType type = DataType::f32;      ///< of A and x: all that gemm() multiplies; sums are in accumulator_of(type)
  std::optional<DataType> type_y{};   ///< as GemmProblem::type_c
  Layout layout = Layout::row_major;  ///< of A
  Transpose trans = Transpose::no;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  /// Elements from one row (row-major) or column (column-major) of A to the next; 0 means densely stored.
  std::uint64_t lda = 0;
  /// Elements from one element of a vector to the next, not 0. As in BLAS, a vector with a negative increment begins at
  /// its far end: its offset is that of its last element. Such a vector is copied before the product, y also after it.
  std::int64_t incx = 1;
  std::int64_t incy = 1;
  /// A promise that the offsets of A, x and y are multiples of this many elements, so that kernels may load whole
  /// vectors. GemvPlan::enqueue refuses offsets that break it; gemv() lowers it by itself. A power of two.
  std::uint64_t offset_alignment = 16;
  Batch batch{};

  friend bool operator==(const GemvProblem&, const GemvProblem&) = default;
};

/// The operands and scalars of one call; the scalars are rounded and checked as those of gemm(). beta = 0: y is not
/// read. alpha = 0, or an x without elements: A and x are not read and may be null.
struct GemvOperands {
  Scalar alpha = 1;
  MatrixRef a{};
  MatrixRef x{};
  Scalar beta = 0;
  MatrixRef y{};
  /// GemvPlan::workspace_bytes() for this call alone, as GemmOperands::workspace.
  WorkspaceRef workspace{};
  bool event = true;  ///< as GemmOperands::event
};

/// A problem with its compiled kernels, ready to be enqueued as often as wanted. Safe to use from many threads. It is
/// the plan of a gemm() of one column: its variants, records and tuning are gemm's. Calls whose vectors are copied run
/// one after another on the device.
class GemvPlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store.
  /// Throws Error(invalid_leading_dimension, invalid_increment), and what GemmPlan's constructor throws.
  TILEWRIGHT_API GemvPlan(const Engine& engine, const GemvProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~GemvPlan();
  TILEWRIGHT_API GemvPlan(GemvPlan&&) noexcept;
  TILEWRIGHT_API GemvPlan& operator=(GemvPlan&&) noexcept;

  /// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued, unless GemvOperands::event is false; never blocks or allocates
  /// device memory. The event's own profile is that of the last launch; Event::times() gives those of all launches.
  /// Everything is checked before anything is enqueued, A before x before y: throws what GemmPlan::enqueue throws,
  /// whose operand() is the one that is wrong: a, x or y.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GemvOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const GemvProblem& problem() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and a launch.
/// Throws what GemvPlan's constructor and GemvPlan::enqueue throw.
TILEWRIGHT_API Event gemv(const Engine& engine, cl_command_queue queue, const GemvProblem& problem,
                          const GemvOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

/// One outer product to add to a matrix, or a batch of them. A is m x n, x has m elements and y has n.
/// Sizes, increments, strides and offsets are in elements.
struct GerProblem {
  DataType type = DataType::f32;      ///< of all three; no integers
  Layout layout = Layout::row_major;  ///< of A
  bool conjugate = false;             ///< A = alpha x y^H + A, and not y^T; of real numbers the same
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::int64_t incx = 1;  ///< as GemvProblem::incx
  std::int64_t incy = 1;
  std::uint64_t lda = 0;                ///< as GemvProblem::lda
  std::uint64_t offset_alignment = 16;  ///< as GemvProblem::offset_alignment; ger() lowers it by itself
  /// As Batch, but the matrices A must not share elements, and x and y may be the same for all.
  Batch batch{};

  friend bool operator==(const GerProblem&, const GerProblem&) = default;
};

/// alpha = 0: x and y are not read and may be null, and A is left as it is.
struct GerOperands {
  Scalar alpha = 1;
  MatrixRef x{};
  MatrixRef y{};
  MatrixRef a{};
};

/// A = alpha x y^T + A, which is gemm() of depth 1; the engine keeps recent plans. Everything is checked before
/// anything is enqueued, x before y before A: throws what gemv() throws. The event's own profile is that of the product
/// without the copies of reversed vectors; Event::times() gives the times of all launches.
TILEWRIGHT_API Event ger(const Engine& engine, cl_command_queue queue, const GerProblem& problem,
                         const GerOperands& operands, std::span<const cl_event> waits = {}, const Choice& choice = {});

}  // namespace tilewright
