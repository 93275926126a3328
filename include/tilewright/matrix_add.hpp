// Sums of matrices that may be transposed: C = alpha op(A) + beta op(B).
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

/// A sum of two matrices, or a batch of such sums.
///
/// Computes C = alpha op(A) + beta op(B). op(A), op(B) and C are m x n. All sizes, leading dimensions, strides and
/// offsets count elements.
struct MatrixAddProblem {
  DataType type = DataType::f32;      ///< element type of A, B and C: f32, f64, f16 or bf16
  Layout layout = Layout::row_major;  ///< storage order of A, B and C
  Transpose trans_a = Transpose::no;  ///< op(A) = A or A^T
  Transpose trans_b = Transpose::no;  ///< op(B) = B or B^T
  std::uint64_t m = 0;                ///< rows of C
  std::uint64_t n = 0;                ///< columns of C
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored
  std::uint64_t ldc = 0;              ///< leading dimension of C; 0 means densely stored
  Batch batch{};                      ///< number of sums, and the distances between consecutive A, B and C

  friend bool operator==(const MatrixAddProblem&, const MatrixAddProblem&) = default;
};

/// The data of one call.
///
/// C may be A, B or both if that input is not transposed and has C's buffer, offset, leading dimension and stride. The
/// result then has the same bits as in a buffer of its own. Any other overlap of C with an input that is read is an
/// error.
struct MatrixAddOperands {
  Scalar alpha = 1;  ///< real; rounded to float unless `type` is f64. 0: A is not read and may be null
  MatrixRef a{};     ///< the first matrix
  Scalar beta = 0;   ///< real; rounded to float unless `type` is f64. 0: B is not read and may be null
  MatrixRef b{};     ///< the second matrix
  MatrixRef c{};     ///< overwritten with the sum

  /// Device memory for this call alone. A sum needs none, so a buffer that is given is checked and left unchanged.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us of device time per call on NVIDIA GPUs.
  bool event = true;
};

/// A problem with its kernel compiled and its launches prepared. Enqueue it as often as you like, from any thread.
///
/// Accuracy: |C' - C| <= gamma(2) (|alpha| |A| + |beta| |B|) element by element, where gamma(2) = 2 u / (1 - 2 u). The
/// roundoff u is that of f64 for f64, otherwise that of f32. f16 and bf16 add one rounding when C is stored.
/// Source: two roundings per element, Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1.
class MatrixAddPlan {
 public:
  /// Compiles the kernel, or loads it from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  ///
  /// Throws Error with
  ///   unsupported_type           the device or the operation lacks `type`
  ///   invalid_leading_dimension  lda, ldb or ldc is smaller than a row (or column) of its matrix
  ///   invalid_batch              a stride belongs to an operand that matrix_add does not have
  ///   overlapping_operands       stride_c makes matrices C share elements
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   build_failed               the driver rejected the kernel; the message holds the end of its log
  ///   invalid_configuration      the device has too few registers for the kernel's work-groups
  ///   out_of_memory
  TILEWRIGHT_API MatrixAddPlan(const Engine& engine, const MatrixAddProblem& problem);
  TILEWRIGHT_API ~MatrixAddPlan();
  TILEWRIGHT_API MatrixAddPlan(MatrixAddPlan&&) noexcept;
  TILEWRIGHT_API MatrixAddPlan& operator=(MatrixAddPlan&&) noexcept;

  /// Enqueues the sum after `waits` on `queue`, an in-order or out-of-order queue of the engine's context and device.
  /// Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// MatrixAddOperands::event is false. A call is one launch, or several if the device limits the size of a launch;
  /// Event::times() covers all of them.
  ///
  /// All arguments are checked before anything is enqueued, in the order A, B, C, workspace.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context or device
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   invalid_scalar                    alpha or beta has an imaginary part
  ///   overlapping_operands              C shares elements with an input that it may not replace
  ///   foreign_object, invalid_workspace, workspace_too_small
  ///                                     a workspace is lent whose context, flags or offset are wrong
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const MatrixAddOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  /// The problem as it was passed to the constructor.
  [[nodiscard]] TILEWRIGHT_API const MatrixAddProblem& problem() const;
  /// The sizes of the kernel's tile and work-group. matrix_add has one variant, so there is no choice to explain.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Bytes of device memory that a call needs besides its operands: 0.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Plans and enqueues in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its
/// launches. Throws what MatrixAddPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event matrix_add(const Engine& engine, cl_command_queue queue, const MatrixAddProblem& problem,
                                const MatrixAddOperands& operands, std::span<const cl_event> waits = {});

}  // namespace tilewright
