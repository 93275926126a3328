// Inverses of symmetric or Hermitian positive definite matrices, from their Cholesky factors.
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

namespace tilewright {

/// The inverse of a matrix that potrf factored, or of a batch of such matrices.
///
/// Computes (L L^H)^-1 (Uplo::lower) or (U^H U)^-1 (Uplo::upper) from the factor in the same triangle. For real
/// elements L^H is L^T. The inverse is symmetric or Hermitian; A is n x n, and only that triangle is read and written.
/// Imaginary parts on the diagonal of the inverse are zero. Sizes, leading dimensions, strides and offsets count
/// elements.
struct PotriProblem {
  DataType type = DataType::f32;      ///< element type of A: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  Uplo uplo = Uplo::lower;            ///< triangle of A that holds the factor, then the inverse
  std::uint64_t n = 0;                ///< order of A
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored

  /// Promise that the offsets of A are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. PotriPlan::enqueue() rejects offsets that break the promise; potri() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of matrices, and the distance stride_a between consecutive ones, which must not share elements.
  Batch batch{};

  friend bool operator==(const PotriProblem&, const PotriProblem&) = default;
};

/// The data of one call of potri.
struct PotriOperands {
  MatrixRef a{};  ///< the factor; its triangle is overwritten with that of the inverse

  /// Device memory for this call alone, at least PotriPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A potri problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: triangular systems and products, as in the inversions that Du Croz and Higham analyse ("Stability of
/// Methods for Matrix Inversion", IMA J. Numer. Anal. 12(1), 1992). In the tests, |I - A X| is at most 30 n u |A|
/// |X| in the 1-norm, where u is the roundoff of the type. This is LAPACK's threshold for its own potri (dpot03). An
/// inverse that overflows has infinities and NaN, and so has one from a factor with a zero on its diagonal. To solve
/// systems, potrs() is faster and more accurate than a product with the inverse.
class PotriPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products between blocks; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           potri does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that potri does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices A share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API PotriPlan(const Engine& engine, const PotriProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~PotriPlan();
  TILEWRIGHT_API PotriPlan(PotriPlan&&) noexcept;
  TILEWRIGHT_API PotriPlan& operator=(PotriPlan&&) noexcept;

  /// Enqueues the inversion on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const PotriOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const PotriProblem& problem() const;

  /// Returns how the matrix is inverted. Its parts are the triangular systems and the products between blocks, each
  /// size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Inverts a factored matrix: plans and enqueues in one call. The engine keeps recent plans, so a repeated problem
/// costs a look-up and its launches. Throws what PotriPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event potri(const Engine& engine, cl_command_queue queue, const PotriProblem& problem,
                           const PotriOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

}  // namespace tilewright
