// Products with a triangular matrix, in place: B := alpha op(A) B or B := alpha B op(A).
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

/// A product with a triangular matrix, or a batch of such products.
///
/// Computes B := alpha op(A) B (Side::left) or B := alpha B op(A) (Side::right). B is m x n. A is triangular, of order
/// m on the left and n on the right. Sizes, leading dimensions, strides and offsets count elements.
struct TrmmProblem {
  DataType type = DataType::f32;      ///< element type of A and B: f16, bf16, f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  Side side = Side::left;             ///< side of B on which op(A) appears
  Uplo uplo = Uplo::lower;            ///< triangle of A that is read; the other one may hold anything
  Transpose trans = Transpose::no;    ///< op(A) = A, A^T or A^H
  Diag diag = Diag::non_unit;         ///< unit: the diagonal of A counts as ones and is not read
  std::uint64_t m = 0;                ///< rows of B
  std::uint64_t n = 0;                ///< columns of B
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored

  /// Promise that the offsets of A and B are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. TrmmPlan::enqueue() rejects offsets that break the promise; trmm() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of products, and the distances stride_a and stride_b between consecutive A and B. All products share one A
  /// if stride_a is 0. The matrices B must not share elements.
  Batch batch{};

  friend bool operator==(const TrmmProblem&, const TrmmProblem&) = default;
};

/// The data of one call of trmm.
struct TrmmOperands {
  Scalar alpha = 1;  ///< complex only for complex types; 0: B becomes zero, neither A nor B is read, and A may be null
  MatrixRef a{};     ///< the triangular matrix
  MatrixRef b{};     ///< overwritten with the product

  /// Device memory for this call alone, at least TrmmPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A trmm problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: element by element, |B' - alpha op(A) B| <= gamma(k + 4) |alpha| |op(A)| |B|, where B' is the computed
/// product and k the order of A. Here gamma(i) = i u / (1 - i u), and u is the roundoff of accumulator_of(type): 2^-24
/// for f32, c64, f16 and bf16, 2^-53 for f64 and c128. f16 and bf16 add one rounding when B is stored. For complex
/// types the bound holds for each part with 2 k instead of k, and a complex alpha adds up to four roundings. Source:
/// Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5. Each operation with a subnormal
/// result adds at most half of the smallest subnormal to the error.
///
/// NaN and infinity in B reach exactly the elements whose sums have a term with them: zeros outside the triangle have
/// no effect, as in BLAS.
class TrmmPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           trmm does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda or ldb is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that trmm does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices of B share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API TrmmPlan(const Engine& engine, const TrmmProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~TrmmPlan();
  TILEWRIGHT_API TrmmPlan(TrmmPlan&&) noexcept;
  TILEWRIGHT_API TrmmPlan& operator=(TrmmPlan&&) noexcept;

  /// Enqueues the product on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before B before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha has an imaginary part, but the type is real
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A and B share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A or B
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const TrmmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const TrmmProblem& problem() const;

  /// Returns how B is computed. Its parts are the products of gemm, each size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands: at most a copy of B, and the workspace
  /// of the products. Lines of the copy are padded to a multiple of 16 elements.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes B := alpha op(A) B or B := alpha B op(A): plans and enqueues in one call. The engine keeps recent plans, so
/// a repeated problem costs a look-up and its launches. Throws what TrmmPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event trmm(const Engine& engine, cl_command_queue queue, const TrmmProblem& problem,
                          const TrmmOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
