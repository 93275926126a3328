// Updates of a symmetric or Hermitian matrix by vectors: A = alpha x x^T + A, and A = alpha x y^T + alpha y x^T + A.
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

/// An update of a symmetric or Hermitian matrix, A = alpha x x^T + A or A = alpha x x^H + A, or a batch of such
/// updates. BLAS's syr, and her with Symmetry::hermitian.
///
/// A has order n, and x has n elements. Sizes, leading dimensions, increments, strides and offsets count elements. With
/// a negative increment a vector is stored in reverse order, as in BLAS: element i of x is (n - 1 - i) |incx| elements
/// after the offset.
struct SyrProblem {
  DataType type = DataType::f32;      ///< element type of A and x: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  Uplo uplo = Uplo::lower;            ///< triangle of A that is updated; the other one is neither read nor written
  /// A = A^T or A = A^H. A Hermitian diagonal is read and written as real numbers; its stored imaginary parts become 0.
  Symmetry symmetry = Symmetry::symmetric;
  std::uint64_t n = 0;    ///< order of A, and length of x
  std::int64_t incx = 1;  ///< elements from one element of x to the next; not 0
  std::uint64_t lda = 0;  ///< leading dimension of A; 0 means densely stored

  /// Promise that the offsets of all operands are multiples of this many elements. A power of two.
  /// SyrPlan::enqueue() rejects offsets that break the promise; syr() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of updates, and the distances stride_a and stride_x between consecutive A and x. All updates share
  /// one x if stride_x is 0. The matrices A must not share elements.
  Batch batch{};

  friend bool operator==(const SyrProblem&, const SyrProblem&) = default;
};

/// The data of one call of syr. The scalar is rounded to the element type.
struct SyrOperands {
  Scalar alpha = 1;  ///< real if the matrix is Hermitian; 0: A stays as it is, and x is not read and may be null
  MatrixRef x{};     ///< the vector
  MatrixRef a{};     ///< the matrix, of which one triangle is updated; shares no elements with x

  /// Device memory for this call alone, at least SyrPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A syr problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Reads and writes each stored element once. Accuracy: |A' - A| <= gamma(3) |alpha| |x| |x|^T + gamma(2) |A| element
/// by element, where A is the exact result on the left and the old one on the right. Here gamma(i) = i u / (1 - i u),
/// and u is the roundoff of the type. For complex types the bound holds for each part with gamma(6) and gamma(4), where
/// |z| is |re z| + |im z|. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1.
/// Each operation with a subnormal result adds at most half of the smallest subnormal to the error. Equal calls on one
/// device give equal bits.
class SyrPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the variant, `rows` or `tiles`, and its parameters; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           syr does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_increment          incx is 0
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that syr does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices A share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` is invalid, or the device cannot run it
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API SyrPlan(const Engine& engine, const SyrProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~SyrPlan();
  TILEWRIGHT_API SyrPlan(SyrPlan&&) noexcept;
  TILEWRIGHT_API SyrPlan& operator=(SyrPlan&&) noexcept;

  /// Enqueues the update on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, x before A before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha has an imaginary part although the type is real, or the
  ///                                         matrix Hermitian
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A and x share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with another operand
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const SyrOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const SyrProblem& problem() const;

  /// Returns the variant that runs, its parameters and the reason.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands: copies of vectors with gaps.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes A = alpha x x^T + A or A = alpha x x^H + A: plans and enqueues in one call. The engine keeps recent plans,
/// so a repeated problem costs a look-up and its launches. Throws what SyrPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event syr(const Engine& engine, cl_command_queue queue, const SyrProblem& problem,
                         const SyrOperands& operands, std::span<const cl_event> waits = {}, const Choice& choice = {});

/// An update of a symmetric matrix, A = alpha x y^T + alpha y x^T + A, or a batch of such updates. With
/// Symmetry::hermitian, A = alpha x y^H + conj(alpha) y x^H + A. BLAS's syr2 and her2.
///
/// A has order n, and x and y have n elements. Sizes, leading dimensions, increments, strides and offsets count
/// elements. With a negative increment a vector is stored in reverse order, as in BLAS: element i of x is (n - 1 - i)
/// |incx| elements after the offset.
struct Syr2Problem {
  DataType type = DataType::f32;      ///< element type of A, x and y: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  Uplo uplo = Uplo::lower;            ///< triangle of A that is updated; the other one is neither read nor written
  /// A = A^T or A = A^H. A Hermitian diagonal is read and written as real numbers; its stored imaginary parts become 0.
  Symmetry symmetry = Symmetry::symmetric;
  std::uint64_t n = 0;    ///< order of A, and length of x and y
  std::int64_t incx = 1;  ///< elements from one element of x to the next; not 0
  std::int64_t incy = 1;  ///< elements from one element of y to the next; not 0
  std::uint64_t lda = 0;  ///< leading dimension of A; 0 means densely stored

  /// Promise that the offsets of all operands are multiples of this many elements. A power of two.
  /// Syr2Plan::enqueue() rejects offsets that break the promise; syr2() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of updates, and the distances stride_a, stride_x and stride_y between consecutive A, x and y. All updates
  /// share x or y if its stride is 0. The matrices A must not share elements.
  Batch batch{};

  friend bool operator==(const Syr2Problem&, const Syr2Problem&) = default;
};

/// The data of one call of syr2. The scalar is rounded to the element type.
struct Syr2Operands {
  Scalar alpha = 1;  ///< 0: A stays as it is, and x and y are not read and may be null
  MatrixRef x{};     ///< the first vector
  MatrixRef y{};     ///< the second vector; may be x
  MatrixRef a{};     ///< the matrix, of which one triangle is updated; shares no elements with x or y

  /// Device memory for this call alone, at least Syr2Plan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A syr2 problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Reads and writes each stored element once. Accuracy: |A' - A| <= gamma(4) |alpha| (|x| |y|^T + |y| |x|^T) + gamma(2)
/// |A| element by element, where A is the exact result on the left and the old one on the right.
/// Here gamma(i) = i u / (1 - i u), and u is the roundoff of the type. For complex types the bound holds for each part
/// with gamma(8) and gamma(4), where |z| is |re z| + |im z|. Source: Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1. Each operation with a subnormal result adds
/// at most half of the smallest subnormal to the error. Equal calls on one device give equal bits.
class Syr2Plan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the variant, `rows` or `tiles`, and its parameters; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           syr2 does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_increment          incx or incy is 0
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that syr2 does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices A share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` is invalid, or the device cannot run it
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API Syr2Plan(const Engine& engine, const Syr2Problem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~Syr2Plan();
  TILEWRIGHT_API Syr2Plan(Syr2Plan&&) noexcept;
  TILEWRIGHT_API Syr2Plan& operator=(Syr2Plan&&) noexcept;

  /// Enqueues the update on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, x before y before A before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha has an imaginary part although the type is real
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A shares elements with x or y
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with another operand
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const Syr2Operands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const Syr2Problem& problem() const;

  /// Returns the variant that runs, its parameters and the reason.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands: copies of vectors with gaps.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Updates one triangle of A: plans and enqueues in one call. The engine keeps recent plans, so a repeated
/// problem costs a look-up and its launches. Throws what Syr2Plan's constructor and enqueue() throw.
TILEWRIGHT_API Event syr2(const Engine& engine, cl_command_queue queue, const Syr2Problem& problem,
                          const Syr2Operands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
