// Cholesky's factorisation of symmetric or Hermitian positive definite matrices, and the systems of equations that it
// solves.
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

/// A symmetric or Hermitian positive definite matrix to factor, or a batch of such matrices.
///
/// Computes L with A = L L^H (Uplo::lower), or U with A = U^H U (Uplo::upper). For real elements L^H is L^T. A is n x
/// n, and only one of its triangles is read and written. Imaginary parts on the diagonal of A are ignored; those of the
/// factor are zero. Sizes, leading dimensions, strides and offsets count elements.
struct PotrfProblem {
  DataType type = DataType::f32;      ///< element type of A: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  Uplo uplo = Uplo::lower;            ///< triangle of A that holds the matrix, then its factor
  std::uint64_t n = 0;                ///< order of A
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored

  /// Promise that the offsets of A are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. PotrfPlan::enqueue() rejects offsets that break the promise; potrf() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of matrices, and the distances stride_a and stride_info between consecutive A and info. The matrices A must
  /// not share elements. The infos follow each other without gaps if stride_info is 0.
  Batch batch{};

  friend bool operator==(const PotrfProblem&, const PotrfProblem&) = default;
};

/// The data of one call of potrf.
struct PotrfOperands {
  MatrixRef a{};  ///< the matrix; its triangle is overwritten with the factor

  /// One 64-bit integer per matrix. 0: the matrix is positive definite. Otherwise the order of the first leading minor
  /// that is not, which includes a minor with a NaN. The rows of L, or columns of U, before that minor are valid; the
  /// rest of the factor is undefined. 0 if n is 0.
  MatrixRef info{};

  /// Device memory for this call alone, at least PotrfPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A potrf problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: the computed factor satisfies |A - L L^H| <= gamma(n + 3) |L| |L^H| element by element. Here gamma(i) = i
/// u / (1 - i u), and u is the roundoff of the type. Source: Higham, "Accuracy and Stability of Numerical Algorithms",
/// 2nd ed., theorem 10.3. For complex elements the factor is sqrt(2) gamma(2 n + 12), from the same theorem with the
/// complex arithmetic of section 3.6. The bound holds for diagonals of any size. Each operation with a subnormal
/// result adds at most half of the smallest subnormal to its error. On GPUs, off-diagonal elements may lose up to
/// u sqrt(a_ii a_jj) if a diagonal element is below 2^-40 or above 2^40 (f64: below 2^-300 or above 2^300).
class PotrfPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products between blocks; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           potrf does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that potrf does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices A share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API PotrfPlan(const Engine& engine, const PotrfProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~PotrfPlan();
  TILEWRIGHT_API PotrfPlan(PotrfPlan&&) noexcept;
  TILEWRIGHT_API PotrfPlan& operator=(PotrfPlan&&) noexcept;

  /// Enqueues the factorisation on `queue` after `waits`. The queue belongs to the engine's context and device, and may
  /// be in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before info before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A and info share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A or info
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const PotrfOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const PotrfProblem& problem() const;

  /// Returns how the matrix is factored. Its parts are the triangular systems and the products between blocks, each
  /// size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Factors A = L L^H or A = U^H U: plans and enqueues in one call. The engine keeps recent plans, so a
/// repeated problem costs a look-up and its launches. Throws what PotrfPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event potrf(const Engine& engine, cl_command_queue queue, const PotrfProblem& problem,
                           const PotrfOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// Systems of equations A X = B with a factor of A from potrf, or a batch of such systems.
///
/// Solves L L^H X = B (Uplo::lower) or U^H U X = B (Uplo::upper). A is n x n, B and X are n x nrhs. Sizes, leading
/// dimensions, strides and offsets count elements.
struct PotrsProblem {
  DataType type = DataType::f32;      ///< element type of A, B and X: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  Uplo uplo = Uplo::lower;            ///< triangle of A that holds the factor; the other one is not read
  std::uint64_t n = 0;                ///< order of A, and rows of B and X
  std::uint64_t nrhs = 0;             ///< columns of B and X
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored

  /// Promise that the offsets of A and B are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. PotrsPlan::enqueue() rejects offsets that break the promise; potrs() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of systems, and the distances stride_a and stride_b between consecutive A and B. All systems share one A
  /// if stride_a is 0. The matrices B must not share elements.
  Batch batch{};

  friend bool operator==(const PotrsProblem&, const PotrsProblem&) = default;
};

/// The data of one call of potrs.
struct PotrsOperands {
  MatrixRef a{};  ///< the factor from potrf
  MatrixRef b{};  ///< the right-hand sides; overwritten with X

  /// Device memory for this call alone, at least PotrsPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A potrs problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: two triangular systems are solved, L Y = B and L^H X = Y. Each solution satisfies |T X - B| <= gamma(n +
/// 4) (|T| |X| + |B|) element by element for its triangle T and its right-hand sides. Here gamma(i) = i u / (1 - i u),
/// and u is the roundoff of the type. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
/// theorem 8.5. For complex elements the factor is sqrt(2) gamma(2 n + 12), from the same theorem with the complex
/// arithmetic of section 3.6. A zero on the diagonal gives infinities and NaN.
class PotrsPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products between blocks; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           potrs does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda or ldb is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that potrs does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices B share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API PotrsPlan(const Engine& engine, const PotrsProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~PotrsPlan();
  TILEWRIGHT_API PotrsPlan(PotrsPlan&&) noexcept;
  TILEWRIGHT_API PotrsPlan& operator=(PotrsPlan&&) noexcept;

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
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  A and B share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A or B
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const PotrsOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const PotrsProblem& problem() const;

  /// Returns how the systems are solved. Its parts are the two triangular systems, listed once if they are solved
  /// alike.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Solves A X = B with a factor of A: plans and enqueues in one call. The engine keeps recent plans, so a
/// repeated problem costs a look-up and its launches. Throws what PotrsPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event potrs(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem,
                           const PotrsOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// Systems of equations A X = B, where A is symmetric or Hermitian and positive definite, or a batch of such systems.
///
/// Factors A = L L^H (Uplo::lower) or A = U^H U (Uplo::upper), then solves for X. A is n x n, B and X are n x nrhs.
/// Sizes, leading dimensions, strides and offsets count elements.
struct PosvProblem {
  DataType type = DataType::f32;      ///< element type of A, B and X: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  Uplo uplo = Uplo::lower;            ///< triangle of A that holds the matrix, then its factor
  std::uint64_t n = 0;                ///< order of A, and rows of B and X
  std::uint64_t nrhs = 0;             ///< columns of B and X
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored

  /// Promise that the offsets of A and B are multiples of this many elements, so that kernels may load whole vectors.
  /// A power of two. PosvPlan::enqueue() rejects offsets that break the promise; posv() lowers it automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of systems, and the distances stride_a, stride_b and stride_info between consecutive A, B and info. Neither
  /// the matrices A nor the matrices B may share elements. The infos follow each other without gaps if stride_info is
  /// 0.
  Batch batch{};

  friend bool operator==(const PosvProblem&, const PosvProblem&) = default;
};

/// The data of one call of posv.
struct PosvOperands {
  MatrixRef a{};  ///< the matrix; its triangle is overwritten with the factor
  MatrixRef b{};  ///< the right-hand sides; overwritten with X, which is undefined where info is not 0

  /// One 64-bit integer per matrix. 0: the matrix is positive definite. Otherwise the order of the first leading minor
  /// that is not, which includes a minor with a NaN. 0 if n is 0.
  MatrixRef info{};

  /// Device memory for this call alone, at least PosvPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A posv problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Accuracy: to first order in the roundoff u of the type, the computed X satisfies |A X - B| <= gamma(n + 4) (4 |L|
/// |L^H| |X| + |B|) element by element. Here gamma(i) = i u / (1 - i u). Source: Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd ed., theorem 10.4. For complex elements the factor is sqrt(2) gamma(2 n + 12), from the
/// same theorem with the complex arithmetic of section 3.6.
class PosvPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products between blocks; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           posv does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda or ldb is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that posv does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices A or B share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API PosvPlan(const Engine& engine, const PosvProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~PosvPlan();
  TILEWRIGHT_API PosvPlan(PosvPlan&&) noexcept;
  TILEWRIGHT_API PosvPlan& operator=(PosvPlan&&) noexcept;

  /// Enqueues the factorisation and the solution on `queue` after `waits`. The queue belongs to the engine's context
  /// and device, and may be in-order or out-of-order. Never blocks and never allocates device memory.
  ///
  /// Returns an event that covers all work of the call. The event's own profile covers only the last of several
  /// launches; Event::times() covers all of them.
  ///
  /// All arguments are checked, A before B before info before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object           a handle is null or belongs to another context
  ///   failed_wait                           an event in `waits` has already failed
  ///   invalid_buffer, buffer_too_small      a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                        an offset breaks the promise of offset_alignment
  ///   overlapping_operands                  two of A, B and info share elements
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A, B or info
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const PosvOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const PosvProblem& problem() const;

  /// Returns how the systems are solved. Its parts are the factorisation (potrf) and the solution (potrs).
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Factors A and solves A X = B: plans and enqueues in one call. The engine keeps recent plans, so a
/// repeated problem costs a look-up and its launches. Throws what PosvPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event posv(const Engine& engine, cl_command_queue queue, const PosvProblem& problem,
                          const PosvOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
