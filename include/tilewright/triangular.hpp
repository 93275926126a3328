// Triangular systems of equations: op(A) X = alpha B, X op(A) = alpha B, and op(A) x = b.
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
#include "tilewright/plan_pointer.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// A triangular system with several right-hand sides, or a batch of such systems.
///
/// Solves op(A) X = alpha B (Side::left) or X op(A) = alpha B (Side::right). B and X are m x n. A is triangular, of
/// order m on the left and n on the right. Sizes, leading dimensions, strides and offsets count elements.
struct TrsmProblem {
  DataType type = DataType::f32;      ///< element type of A, B and X: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  Side side = Side::left;             ///< side of X on which op(A) appears
  Uplo uplo = Uplo::lower;            ///< triangle of A that is read; the other one may hold anything
  Transpose trans = Transpose::no;    ///< op(A) = A, A^T or A^H; for real elements A^H is A^T
  Diag diag = Diag::non_unit;         ///< unit: the diagonal of A counts as ones and is not read
  std::uint64_t m = 0;                ///< rows of B and X
  std::uint64_t n = 0;                ///< columns of B and X
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored

  /// Promise that the offsets of A and B are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. TrsmPlan::enqueue() rejects offsets that break the promise; trsm() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of systems, and the distances stride_a and stride_b between consecutive A and B. All systems share one A
  /// if stride_a is 0. The matrices B must not share elements.
  Batch batch{};

  friend bool operator==(const TrsmProblem&, const TrsmProblem&) = default;
};

/// The data of one call of trsm.
struct TrsmOperands {
  Scalar alpha = 1;  ///< rounded to the element type; 0: X becomes zero, and A is not read and may be null
  MatrixRef a{};     ///< the triangular matrix
  MatrixRef b{};     ///< the right-hand sides; overwritten with X

  /// Device memory for this call alone, at least TrsmPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A trsm problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: blocked substitution. Each computed X satisfies |op(A) X - alpha B| <= gamma(k + 4) (|op(A)| |X| + |alpha|
/// |B|) element by element, where k is the order of A. Here gamma(i) = i u / (1 - i u), and u is the roundoff of the
/// type. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorem 8.5. For complex elements
/// the factor is sqrt(2) gamma(2 k + 12), from the same theorem with the complex arithmetic of section 3.6. The bound
/// holds for every triangular A, however ill-conditioned, and for every finite nonzero diagonal, including subnormal
/// elements if the device computes with subnormal numbers. Each operation with a subnormal result adds at most half of
/// the smallest subnormal to its error. Results that overflow are infinite; if they are complex, a part may be NaN. A
/// zero on the diagonal gives infinities and NaN, as in BLAS.
class TrsmPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products between blocks; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           trsm does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda or ldb is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that trsm does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices of B share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API TrsmPlan(const Engine& engine, const TrsmProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~TrsmPlan();
  TILEWRIGHT_API TrsmPlan(TrsmPlan&&) noexcept;
  TILEWRIGHT_API TrsmPlan& operator=(TrsmPlan&&) noexcept;

  /// Enqueues the solution on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before B before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha has an imaginary part, and the elements are real
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A and B share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A or B
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const TrsmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const TrsmProblem& problem() const;

  /// Returns how the blocks are solved. Its parts are the products between blocks, each size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Solves op(A) X = alpha B or X op(A) = alpha B: plans and enqueues in one call. The engine keeps recent plans, so a
/// repeated problem costs a look-up and its launches. Throws what TrsmPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event trsm(const Engine& engine, cl_command_queue queue, const TrsmProblem& problem,
                          const TrsmOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

/// A triangular system with one right-hand side, or a batch of such systems.
///
/// Solves op(A) x = b, where A is triangular of order n. Sizes, leading dimensions, increments, strides and offsets
/// count elements.
struct TrsvProblem {
  DataType type = DataType::f32;      ///< element type of A, b and x: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  Uplo uplo = Uplo::lower;            ///< triangle of A that is read; the other one may hold anything
  Transpose trans = Transpose::no;    ///< op(A) = A, A^T or A^H; for real elements A^H is A^T
  Diag diag = Diag::non_unit;         ///< unit: the diagonal of A counts as ones and is not read
  std::uint64_t n = 0;                ///< order of A, and length of x
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored

  /// Distance between consecutive elements of x, not 0. If it is negative, x is stored in reverse order, as in BLAS:
  /// element i is (n - 1 - i) |incx| elements after the offset. A reversed x is copied to the workspace and back, and
  /// so is an x with gaps if A is complex and column-major, and op(A) = A^H.
  std::int64_t incx = 1;

  /// Promise that the offsets of A and x are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. TrsvPlan::enqueue() rejects offsets that break the promise; trsv() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of systems, and the distances stride_a and stride_x between consecutive A and x. All systems share one A
  /// if stride_a is 0. The vectors x must not share elements.
  Batch batch{};

  friend bool operator==(const TrsvProblem&, const TrsvProblem&) = default;
};

/// The data of one call of trsv.
struct TrsvOperands {
  MatrixRef a{};  ///< the triangular matrix
  MatrixRef x{};  ///< the right-hand side b; overwritten with x

  /// Device memory for this call alone, at least TrsvPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A trsv problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: blocked substitution. Each computed x satisfies |op(A) x - b| <= gamma(n + 4) (|op(A)| |x| + |b|) element
/// by element. Here gamma(i) = i u / (1 - i u), and u is the roundoff of the type. Source: Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., theorem 8.5. For complex elements the factor is sqrt(2) gamma(2 n +
/// 12), from the same theorem with the complex arithmetic of section 3.6. The bound holds for every triangular A,
/// however ill-conditioned, and for every finite nonzero diagonal, including subnormal elements if the device computes
/// with subnormal numbers. Each operation with a subnormal result adds at most half of the smallest subnormal to its
/// error. Results that overflow are infinite; if they are complex, a part may be NaN. A zero on the diagonal gives
/// infinities and NaN, as in BLAS.
class TrsvPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products between blocks; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           trsv does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_increment          incx is 0
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that trsv does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make vectors x share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API TrsvPlan(const Engine& engine, const TrsvProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~TrsvPlan();
  TILEWRIGHT_API TrsvPlan(TrsvPlan&&) noexcept;
  TILEWRIGHT_API TrsvPlan& operator=(TrsvPlan&&) noexcept;

  /// Enqueues the solution on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before x before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A and x share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A or x
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const TrsvOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const TrsvProblem& problem() const;

  /// Returns how the system is solved. Its part is the trsm of one column, whose parts are the products between blocks.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Solves op(A) x = b: plans and enqueues in one call. The engine keeps recent plans, so a repeated problem costs a
/// look-up and its launches. Throws what TrsvPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event trsv(const Engine& engine, cl_command_queue queue, const TrsvProblem& problem,
                          const TrsvOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
