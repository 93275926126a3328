// Triangular systems of equations: op(A) X = alpha B or X op(A) = alpha B, where A is a triangle.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// Where the triangle stands: op(A) X = alpha B, or X op(A) = alpha B.
enum class Side { left, right };
/// Which triangle of the stored matrix, as the caller counts rows and columns. The other one is never read.
enum class Uplo { lower, upper };
/// unit: the diagonal is all ones, and what is stored there is not read.
enum class Diag { non_unit, unit };

/// One system to solve, or a batch of them. B and X are m x n; A is m x m where it stands on the left, else n x n.
/// Sizes, leading dimensions, strides and offsets are in elements.
struct TrsmProblem {
  DataType type = DataType::f32;      ///< f32 or f64
  Layout layout = Layout::row_major;  ///< of both matrices
  Side side = Side::left;
  Uplo uplo = Uplo::lower;
  Transpose trans = Transpose::no;
  Diag diag = Diag::non_unit;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  /// Elements from one row (row-major) or column (column-major) to the next; 0 means densely stored.
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  /// A promise that the offsets of A and B are multiples of this many elements, as GemmProblem::offset_alignment.
  /// TrsmPlan::enqueue refuses offsets that break it; trsm() lowers it by itself. A power of two.
  std::uint64_t offset_alignment = 16;
  Batch batch{};

  friend bool operator==(const TrsmProblem&, const TrsmProblem&) = default;
};

/// The matrices of one call. B is overwritten with X. alpha = 0: B becomes zero, A is not read and may be null.
/// alpha is rounded to the type.
struct TrsmOperands {
  Scalar alpha = 1;
  MatrixRef a{};
  MatrixRef b{};
  /// TrsmPlan::workspace_bytes() for this call alone, as GemmOperands::workspace.
  WorkspaceRef workspace{};
  /// false: the call may return a null event. In an in-order queue what comes next waits all the same.
  bool event = true;
};

/// A problem with its compiled kernels and the gemm() plans of its steps, which can be enqueued many times. Safe to use
/// from many threads. X is found by substitution: blocks of the diagonal are solved one after another, with products
/// between them. With k the order of A and u the roundoff of the type, each X satisfies
/// |op(A) X - alpha B| <= gamma_(k+4) (|op(A)| |X| + |alpha| |B|) element by element, however ill-conditioned A is.
/// This holds for every finite nonzero diagonal, subnormal ones included if the device computes with subnormal numbers.
/// An operation whose result is subnormal adds at most half of the smallest subnormal to its error; results that
/// overflow are infinite. A zero on the diagonal gives infinities and NaN, as in BLAS.
class TrsmPlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store. `products` is the choice for the
  /// products between blocks, see GemmPlan.
  /// Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, overlapping_operands, invalid_offset),
  /// and what GemmPlan's constructor throws.
  TILEWRIGHT_API TrsmPlan(const Engine& engine, const TrsmProblem& problem, const Choice& products = {});
  TILEWRIGHT_API ~TrsmPlan();
  TILEWRIGHT_API TrsmPlan(TrsmPlan&&) noexcept;
  TILEWRIGHT_API TrsmPlan& operator=(TrsmPlan&&) noexcept;

  /// Enqueues the solution after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued, unless TrsmOperands::event is false; never blocks, never
  /// allocates device memory. The event's own profile is that of the last of several launches; Event::times() gives the
  /// times of all launches. Everything is checked before anything is enqueued, A before B before the workspace:
  /// throws Error(null_object, foreign_object, failed_wait, invalid_buffer, invalid_offset, buffer_too_small,
  /// overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace, device_lost, out_of_memory,
  /// opencl_failure), whose operand() is the one that is wrong. Where OpenCL fails after a part of the call was
  /// enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const TrsmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const TrsmProblem& problem() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what TrsmPlan's constructor and TrsmPlan::enqueue throw.
TILEWRIGHT_API Event trsm(const Engine& engine, cl_command_queue queue, const TrsmProblem& problem,
                          const TrsmOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& products = {});

/// One system with a single right-hand side, or a batch of them: op(A) x = b, where A is n x n. Sizes, increments,
/// strides and offsets are in elements.
struct TrsvProblem {
  DataType type = DataType::f32;      ///< f32 or f64
  Layout layout = Layout::row_major;  ///< of A
  Uplo uplo = Uplo::lower;
  Transpose trans = Transpose::no;
  Diag diag = Diag::non_unit;
  std::uint64_t n = 0;
  std::uint64_t lda = 0;  ///< as TrsmProblem::lda
  /// Elements from one element of x to the next, not 0. As in BLAS, a vector with a negative increment begins at its
  /// far end: its offset is that of its last element. Such a vector is copied before the solution and after it.
  std::int64_t incx = 1;
  std::uint64_t offset_alignment = 16;  ///< as TrsmProblem::offset_alignment; trsv() lowers it by itself
  Batch batch{};                        ///< stride_b is that of x

  friend bool operator==(const TrsvProblem&, const TrsvProblem&) = default;
};

/// b is where x is, and is overwritten with it. The engine keeps recent plans, which are trsm() of one column.
/// Everything is checked before anything is enqueued, A before x: throws what trsm() throws, and
/// Error(invalid_increment), whose operand() is a or x. The event is like that of TrsmPlan::enqueue.
TILEWRIGHT_API Event trsv(const Engine& engine, cl_command_queue queue, const TrsvProblem& problem, MatrixRef a,
                          MatrixRef x, std::span<const cl_event> waits = {}, const Choice& products = {});

}  // namespace tilewright
