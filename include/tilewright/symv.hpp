// Symmetric or Hermitian matrix times vector, y = alpha A x + beta y.
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

/// A product of a symmetric or Hermitian matrix and a vector, y = alpha A x + beta y, or a batch of such products.
/// BLAS's symv, and hemv with Symmetry::hermitian.
///
/// A has order n, and x and y have n elements. Sizes, leading dimensions, increments, strides and offsets count
/// elements. With a negative increment a vector is stored in reverse order, as in BLAS: element i of x is (n - 1 - i)
/// |incx| elements after the offset.
struct SymvProblem {
  DataType type = DataType::f32;      ///< element type of A, x and y: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  Uplo uplo = Uplo::lower;            ///< triangle of A that is read; the other one may hold anything
  /// A = A^T or A = A^H. Imaginary parts of a Hermitian diagonal count as 0, whatever is stored.
  Symmetry symmetry = Symmetry::symmetric;
  std::uint64_t n = 0;    ///< order of A, and length of x and y
  std::uint64_t lda = 0;  ///< leading dimension of A; 0 means densely stored
  std::int64_t incx = 1;  ///< elements from one element of x to the next; not 0
  std::int64_t incy = 1;  ///< elements from one element of y to the next; not 0

  /// Promise that the offsets of all operands are multiples of this many elements. A power of two.
  /// SymvPlan::enqueue() rejects offsets that break the promise; symv() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of products, and the distances stride_a, stride_x and stride_y between consecutive A, x and y. All products
  /// share A or x if its stride is 0. The vectors y must not share elements.
  Batch batch{};

  friend bool operator==(const SymvProblem&, const SymvProblem&) = default;
};

/// The data of one call of symv. Scalars are rounded to the element type.
struct SymvOperands {
  Scalar alpha = 1;  ///< 0: A and x are not read and may be null
  MatrixRef a{};     ///< the matrix, of which one triangle is read
  MatrixRef x{};     ///< the vector that A multiplies
  Scalar beta = 0;   ///< 0: y is not read
  MatrixRef y{};     ///< the result; shares no elements with A or x

  /// Device memory for this call alone, at least SymvPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A symv problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Reads each stored element once and uses it twice. Accuracy: |y' - y| <= gamma(n + 2) |alpha| |A| |x| + gamma(2)
/// |beta| |y| element by element.
/// Here gamma(i) = i u / (1 - i u), and u is the roundoff of the type. For complex types the bound holds for each part
/// with gamma(2 n + 4) and gamma(4), where |z| is |re z| + |im z|. Source: Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1. Each operation with a subnormal result adds
/// at most half of the smallest subnormal to the error. Equal calls on one device give equal bits.
class SymvPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the variant, `rows` or `tiles`, and its parameters; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           symv does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_increment          incx or incy is 0
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that symv does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make vectors y share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` is invalid, or the device cannot run it
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API SymvPlan(const Engine& engine, const SymvProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~SymvPlan();
  TILEWRIGHT_API SymvPlan(SymvPlan&&) noexcept;
  TILEWRIGHT_API SymvPlan& operator=(SymvPlan&&) noexcept;

  /// Enqueues the product on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before x before y before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha or beta has an imaginary part although the type is real
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  y shares elements with A or x
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with another operand
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const SymvOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const SymvProblem& problem() const;

  /// Returns the variant that runs, its parameters and the reason.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands: partial sums.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes y = alpha A x + beta y: plans and enqueues in one call. The engine keeps recent plans, so a repeated
/// problem costs a look-up and its launches. Throws what SymvPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event symv(const Engine& engine, cl_command_queue queue, const SymvProblem& problem,
                          const SymvOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
