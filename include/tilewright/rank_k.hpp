// Updates of one triangle of a square matrix by products of rank k: C = alpha A A^T + beta C and its relatives.
#pragma once

#include <cstdint>
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

/// A symmetric or Hermitian rank-k update, or a batch of such updates: BLAS's syrk and herk.
///
/// Computes C = alpha op(A) op(A)^T + beta C (Symmetry::symmetric) or C = alpha op(A) op(A)^H + beta C
/// (Symmetry::hermitian) on one triangle of C. op(A) is n x k, and C is n x n. Sizes, leading dimensions, strides and
/// offsets count elements.
struct SyrkProblem {
  DataType type = DataType::f32;      ///< element type of A and C: f16, bf16, f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and C
  Uplo uplo = Uplo::lower;            ///< triangle of C that is updated; the other one is neither read nor written

  /// no: op(A) = A. Otherwise A is k x n, and op(A) is A^T for Symmetry::symmetric and A^H for Symmetry::hermitian.
  Transpose trans = Transpose::no;

  /// hermitian: alpha and beta must be real. The imaginary parts of C's diagonal are not used, and become 0 if C
  /// changes. For real types both symmetries are the same.
  Symmetry symmetry = Symmetry::symmetric;

  std::uint64_t n = 0;    ///< order of C, and rows of op(A)
  std::uint64_t k = 0;    ///< columns of op(A)
  std::uint64_t lda = 0;  ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldc = 0;  ///< leading dimension of C; 0 means densely stored

  /// Promise that the offsets of A and C are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. SyrkPlan::enqueue() rejects offsets that break the promise; syrk() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of updates, and the distances stride_a and stride_c between consecutive A and C. All updates share one A
  /// if stride_a is 0. The matrices C must not share elements, not even elements of the triangles that are not used.
  Batch batch{};

  friend bool operator==(const SyrkProblem&, const SyrkProblem&) = default;
};

/// The data of one call of syrk.
struct SyrkOperands {
  Scalar alpha = 1;  ///< rounded to the element type; 0: A is not read and may be null
  MatrixRef a{};     ///< not read if k = 0; may then be null
  Scalar beta = 0;   ///< rounded to the element type; 0: C is not read. 1 with alpha = 0 or k = 0: C stays unchanged
  MatrixRef c{};     ///< the matrix whose triangle is updated

  /// Device memory for this call alone, at least SyrkPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A syrk problem with its kernels compiled and its launches prepared. Enqueue it as often as needed, from any thread.
///
/// On GPUs one product writes the tiles of C that touch the triangle. Otherwise gemm writes the blocks of C off the
/// diagonal, and those on it to the workspace, from which a kernel merges their triangles into C.
/// Accuracy: element by element, |C' - C| <= gamma(k + 2) |alpha| |op(A)| |op(A)|^T + gamma(2) |beta| |C|. Here
/// gamma(i) = i u / (1 - i u), and u is the roundoff of accumulator_of(type). f16 and bf16 add one rounding when C is
/// stored. For complex types the bound holds for each part with 2 k instead of k, and a complex alpha or beta adds up
/// to four roundings. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5. Each
/// operation with a subnormal result adds at most half of the smallest subnormal to the error. The same plan gives the
/// same bits every time.
class SyrkPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           syrk does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda or ldc is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that syrk does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices C share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API SyrkPlan(const Engine& engine, const SyrkProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~SyrkPlan();
  TILEWRIGHT_API SyrkPlan(SyrkPlan&&) noexcept;
  TILEWRIGHT_API SyrkPlan& operator=(SyrkPlan&&) noexcept;

  /// Enqueues the update on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before C before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha or beta has an imaginary part, but the type is real or C is
  ///                                         Hermitian
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  C shares elements with A. C is its whole n x n rectangle, so A must not
  ///                                         lie in the other triangle either
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A or C
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const SyrkOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const SyrkProblem& problem() const;

  /// Returns how C is divided. Its parts are the products, each size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Updates one triangle of C by alpha op(A) op(A)^T or alpha op(A) op(A)^H: plans and enqueues in one call. The engine
/// keeps recent plans, so a repeated problem costs a look-up and its launches. Throws what SyrkPlan's constructor and
/// enqueue() throw.
TILEWRIGHT_API Event syrk(const Engine& engine, cl_command_queue queue, const SyrkProblem& problem,
                          const SyrkOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

/// A symmetric or Hermitian rank-2k update, or a batch of such updates: BLAS's syr2k and her2k.
///
/// Computes C = alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C (Symmetry::symmetric) or
/// C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C (Symmetry::hermitian) on one triangle of C. op(A) and
/// op(B) are n x k, and C is n x n. Sizes, leading dimensions, strides and offsets count elements.
struct Syr2kProblem {
  DataType type = DataType::f32;      ///< element type of A, B and C: f16, bf16, f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A, B and C
  Uplo uplo = Uplo::lower;            ///< triangle of C that is updated; the other one is neither read nor written

  /// no: op(X) = X. Otherwise A and B are k x n, and op(X) is X^T for Symmetry::symmetric and X^H for
  /// Symmetry::hermitian.
  Transpose trans = Transpose::no;

  /// hermitian: beta must be real. The imaginary parts of C's diagonal are not used, and become 0 if C changes. For
  /// real types both symmetries are the same.
  Symmetry symmetry = Symmetry::symmetric;

  std::uint64_t n = 0;    ///< order of C, and rows of op(A) and op(B)
  std::uint64_t k = 0;    ///< columns of op(A) and op(B)
  std::uint64_t lda = 0;  ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;  ///< leading dimension of B; 0 means densely stored
  std::uint64_t ldc = 0;  ///< leading dimension of C; 0 means densely stored

  /// Promise that the offsets of A, B and C are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. Syr2kPlan::enqueue() rejects offsets that break the promise; syr2k() lowers it
  /// automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of updates, and the distances stride_a, stride_b and stride_c between consecutive A, B and C. All updates
  /// share one A, or one B, if its stride is 0. The matrices C must not share elements, not even elements of the
  /// triangles that are not used.
  Batch batch{};

  friend bool operator==(const Syr2kProblem&, const Syr2kProblem&) = default;
};

/// The data of one call of syr2k.
struct Syr2kOperands {
  Scalar alpha = 1;  ///< rounded to the element type; 0: A and B are not read and may be null
  MatrixRef a{};     ///< not read if k = 0; may then be null
  MatrixRef b{};     ///< not read if k = 0; may then be null
  Scalar beta = 0;   ///< rounded to the element type; 0: C is not read. 1 with alpha = 0 or k = 0: C stays unchanged
  MatrixRef c{};     ///< the matrix whose triangle is updated

  /// Device memory for this call alone, at least Syr2kPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A syr2k problem with its kernels compiled and its launches prepared. Enqueue it as often as needed, from any thread.
///
/// On GPUs two products are added to the tiles of C that touch the triangle. Otherwise gemm adds two products to each
/// block of C off the diagonal, for all blocks of one size in two calls. For the blocks on the diagonal it writes one
/// product to the workspace. A kernel adds the transpose and merges one triangle into C.
/// For f16 and bf16, op(A) and op(B) are first copied next to each other, so that one product adds both terms.
/// Accuracy: element by element, |C' - C| <= gamma(k + 4) |alpha| (|op(A)| |op(B)|^T + |op(B)| |op(A)|^T) +
/// gamma(4) |beta| |C|, with 2 k instead of k for f16 and bf16. Here gamma(i) = i u / (1 - i u), and u is the roundoff
/// of accumulator_of(type). f16 and bf16 add one rounding when C is stored. For complex types the bound holds for each
/// part with 2 k instead of k, and a complex alpha or beta adds up to four roundings. Source: Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., section 3.5. Each operation with a subnormal result adds at most half
/// of the smallest subnormal to the error. The same plan gives the same bits every time.
class Syr2kPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           syr2k does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda, ldb or ldc is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that syr2k does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices C share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API Syr2kPlan(const Engine& engine, const Syr2kProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~Syr2kPlan();
  TILEWRIGHT_API Syr2kPlan(Syr2kPlan&&) noexcept;
  TILEWRIGHT_API Syr2kPlan& operator=(Syr2kPlan&&) noexcept;

  /// Enqueues the update on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before B before C before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha or beta has an imaginary part, but the type is real; or beta has
  ///                                         one, but C is Hermitian
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  C shares elements with A or B. C is its whole n x n rectangle, so A and B
  ///                                         must not lie in the other triangle either
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A, B or C
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const Syr2kOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const Syr2kProblem& problem() const;

  /// Returns how C is divided. Its parts are the products, each size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Updates one triangle of C by products of A and B in both orders: plans and enqueues in one call. The engine keeps
/// recent plans, so a repeated problem costs a look-up and its launches. Throws what Syr2kPlan's constructor and
/// enqueue() throw.
TILEWRIGHT_API Event syr2k(const Engine& engine, cl_command_queue queue, const Syr2kProblem& problem,
                           const Syr2kOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// One triangle of a general product, or a batch of such products: gemmt of several BLAS libraries, which Netlib calls
/// gemmtr.
///
/// Computes C = alpha op(A) op(B) + beta C on one triangle of C, for products that are known to be symmetric, or whose
/// other triangle is not needed. op(A) is n x k, op(B) is k x n, and C is n x n. Sizes, leading dimensions, strides and
/// offsets count elements.
struct GemmtProblem {
  DataType type = DataType::f32;      ///< element type of A, B and C: f16, bf16, f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A, B and C
  Uplo uplo = Uplo::lower;            ///< triangle of C that is updated; the other one is neither read nor written
  Transpose trans_a = Transpose::no;  ///< op(A) = A, A^T or A^H
  Transpose trans_b = Transpose::no;  ///< op(B) = B, B^T or B^H
  std::uint64_t n = 0;                ///< order of C, rows of op(A) and columns of op(B)
  std::uint64_t k = 0;                ///< columns of op(A) and rows of op(B)
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored
  std::uint64_t ldc = 0;              ///< leading dimension of C; 0 means densely stored

  /// Promise that the offsets of A, B and C are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. GemmtPlan::enqueue() rejects offsets that break the promise; gemmt() lowers it
  /// automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of products, and the distances stride_a, stride_b and stride_c between consecutive A, B and C. All products
  /// share one A, or one B, if its stride is 0. The matrices C must not share elements, not even elements of the
  /// triangles that are not used.
  Batch batch{};

  friend bool operator==(const GemmtProblem&, const GemmtProblem&) = default;
};

/// The data of one call of gemmt.
struct GemmtOperands {
  Scalar alpha = 1;  ///< rounded to the element type; 0: A and B are not read and may be null
  MatrixRef a{};     ///< not read if k = 0; may then be null
  MatrixRef b{};     ///< not read if k = 0; may then be null
  Scalar beta = 0;   ///< rounded to the element type; 0: C is not read. 1 with alpha = 0 or k = 0: C stays unchanged
  MatrixRef c{};     ///< the matrix whose triangle is updated

  /// Device memory for this call alone, at least GemmtPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A gemmt problem with its kernels compiled and its launches prepared. Enqueue it as often as needed, from any thread.
///
/// On GPUs one product writes the tiles of C that touch the triangle. Otherwise gemm writes the blocks of C off the
/// diagonal, and those on it to the workspace, from which a kernel merges their triangles into C.
/// Accuracy: element by element, |C' - C| <= gamma(k + 2) |alpha| |op(A)| |op(B)| + gamma(2) |beta| |C|. Here
/// gamma(i) = i u / (1 - i u), and u is the roundoff of accumulator_of(type). f16 and bf16 add one rounding when C is
/// stored. For complex types the bound holds for each part with 2 k instead of k, and a complex alpha or beta adds up
/// to four roundings. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5. Each
/// operation with a subnormal result adds at most half of the smallest subnormal to the error. The same plan gives the
/// same bits every time.
class GemmtPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           gemmt does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda, ldb or ldc is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that gemmt does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices C share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API GemmtPlan(const Engine& engine, const GemmtProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~GemmtPlan();
  TILEWRIGHT_API GemmtPlan(GemmtPlan&&) noexcept;
  TILEWRIGHT_API GemmtPlan& operator=(GemmtPlan&&) noexcept;

  /// Enqueues the product on `queue` after `waits`. The queue belongs to the engine's context and device, and may be
  /// in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before B before C before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_scalar                        alpha or beta has an imaginary part, but the type is real
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  C shares elements with A or B. C is its whole n x n rectangle, so A and B
  ///                                         must not lie in the other triangle either
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A, B or C
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GemmtOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GemmtProblem& problem() const;

  /// Returns how C is divided. Its parts are the products, each size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes one triangle of alpha op(A) op(B) + beta C: plans and enqueues in one call. The engine keeps recent plans,
/// so a repeated problem costs a look-up and its launches. Throws what GemmtPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event gemmt(const Engine& engine, cl_command_queue queue, const GemmtProblem& problem,
                           const GemmtOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

}  // namespace tilewright
