// QR factorisation, and its uses: products with Q, and the columns of Q. least_squares.hpp solves systems with it.
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

/// A matrix to factor, or a batch of matrices: A = Q R.
///
/// A is m x n. Q is orthogonal, or unitary if the elements are complex, of order m. R is upper trapezoidal. A row-major
/// matrix is factored itself, not its transpose. Sizes, leading dimensions and strides count elements.
struct GeqrfProblem {
  DataType type = DataType::f32;      ///< element type of A and tau: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  std::uint64_t m = 0;                ///< rows of A
  std::uint64_t n = 0;                ///< columns of A
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  /// Promises that the offset of A is a multiple of this many elements, a power of two, which permits wide loads.
  /// GeqrfPlan::enqueue() refuses other offsets; geqrf() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of matrices; stride_a and stride_tau give the distances

  friend bool operator==(const GeqrfProblem&, const GeqrfProblem&) = default;
};

/// The data of one geqrf call.
///
/// Q = H(0) H(1) .. H(k - 1) with k = min(m, n), and H(i) = I - tau[i] v v^H. The first i elements of v are 0, v[i] is
/// 1, and the others are stored in column i of A. This is the form of LAPACK's geqrf, whose routines accept it.
struct GeqrfOperands {
  MatrixRef a{};  ///< the matrix; overwritten with R and, below the diagonal, with the vectors of the reflectors
  /// min(m, n) elements, written. tau[i] is 0 if column i is already 0 below the diagonal and R(i, i) is real; then
  /// H(i) is the identity.
  MatrixRef tau{};

  /// Device memory for this call alone, at least GeqrfPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A factorisation with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// The diagonal of R is real, and of either sign. The norm of a column neither overflows nor underflows unless the
/// result does. NaN in A is no error and propagates. Accuracy: A + E = Q R for a unitary Q. Each column of E satisfies
/// |E(:, j)| <= c m k u |A(:, j)| in 2-norms, to first order in u. Here u is the roundoff of the type, k = min(m, n),
/// and c is a small constant. Source: Higham, "Accuracy and Stability of Numerical
/// Algorithms", 2nd ed., theorem 19.4, and section 19.5 for block reflectors. Tests require LAPACK's threshold:
/// |A - Q R| <= 30 m u |A| in 1-norms.
class GeqrfPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory); Error(invalid_batch) for the stride of an operand that geqrf lacks; Error(overlapping_operands) if
  /// outputs of different matrices share elements. If `choice` does not fit: Error(unknown_variant, unknown_parameter,
  /// unsupported_variant, invalid_configuration).
  TILEWRIGHT_API GeqrfPlan(const Engine& engine, const GeqrfProblem& problem, const Choice& choice = {});
  GeqrfPlan(GeqrfPlan&&) noexcept = default;
  GeqrfPlan& operator=(GeqrfPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A and tau, then the workspace. Throws Error(null_object,
  /// foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GeqrfOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GeqrfProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Factors matrices in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what GeqrfPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event geqrf(const Engine& engine, cl_command_queue queue, const GeqrfProblem& problem,
                           const GeqrfOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// A product with Q, or a batch of products: C := op(Q) C (Side::left) or C := C op(Q) (Side::right).
///
/// C is m x n. Q is of order m on the left and n on the right. It consists of the first k reflectors that geqrf() or
/// gels() stored in A, in the same layout. Serves LAPACK's ormqr and unmqr. Sizes, leading dimensions and strides count
/// elements.
struct OrmqrProblem {
  DataType type = DataType::f32;      ///< element type of A, tau and C: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and C
  Side side = Side::left;             ///< side of C on which op(Q) appears
  /// op(Q) = Q, Q^T or Q^H. For real elements the last two are the same; complex elements have no Q^T.
  Transpose trans = Transpose::no;
  std::uint64_t m = 0;    ///< rows of C
  std::uint64_t n = 0;    ///< columns of C
  std::uint64_t k = 0;    ///< number of reflectors: columns of A, at most the order of Q
  std::uint64_t lda = 0;  ///< leading dimension of A, which has as many rows as Q; 0 means densely stored
  std::uint64_t ldc = 0;  ///< leading dimension of C; 0 means densely stored
  /// Promises that the offsets of A and C are multiples of this many elements, a power of two, which permits wide
  /// loads. OrmqrPlan::enqueue() refuses other offsets; ormqr() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of products; stride_a, stride_tau and stride_c. If the first two are 0, they share one Q

  friend bool operator==(const OrmqrProblem&, const OrmqrProblem&) = default;
};

/// The data of one ormqr call.
struct OrmqrOperands {
  MatrixRef a{};    ///< the vectors of the reflectors, below the diagonal. The diagonal and R are not read
  MatrixRef tau{};  ///< k elements from geqrf() or LAPACK
  MatrixRef c{};    ///< overwritten with the product

  /// Device memory for this call alone, at least OrmqrPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A product with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// Accuracy on the left: the result is the exact product of a unitary matrix and C + E. Each column of E satisfies
/// |E(:, j)| <= c s k u |C(:, j)| in 2-norms, to first order in u. Here s is the order of Q, u is the roundoff of the
/// type, and c is a small constant. On the right, the same holds for rows. Source: Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd ed., lemma 19.3 and section 19.5.
class OrmqrPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory). Throws Error(invalid_configuration) if k exceeds the order of Q, or if trans is Transpose::yes and
  /// the type is complex. Throws Error(invalid_batch) for the stride of an operand that ormqr lacks, and
  /// Error(overlapping_operands) if C of different products share elements. If `choice` does not fit:
  /// Error(unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration).
  TILEWRIGHT_API OrmqrPlan(const Engine& engine, const OrmqrProblem& problem, const Choice& choice = {});
  OrmqrPlan(OrmqrPlan&&) noexcept = default;
  OrmqrPlan& operator=(OrmqrPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, tau and C, then the workspace. Throws Error(null_object,
  /// foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const OrmqrOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const OrmqrProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Multiplies by Q in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what OrmqrPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event ormqr(const Engine& engine, cl_command_queue queue, const OrmqrProblem& problem,
                           const OrmqrOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// The first n columns of Q, or a batch of such matrices.
///
/// Q = H(0) H(1) .. H(k - 1) is of order m, where m >= n >= k. Its reflectors are those that geqrf() stored in A, in
/// the same layout. Serves LAPACK's orgqr and ungqr. Sizes, leading dimensions and strides count elements.
struct OrgqrProblem {
  DataType type = DataType::f32;      ///< element type of A and tau: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  std::uint64_t m = 0;                ///< rows of A
  std::uint64_t n = 0;                ///< columns of A, at most m
  std::uint64_t k = 0;                ///< number of reflectors, at most n
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  /// Promises that the offset of A is a multiple of this many elements, a power of two, which permits wide loads.
  /// OrgqrPlan::enqueue() refuses other offsets; orgqr() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of matrices; stride_a and stride_tau give the distances

  friend bool operator==(const OrgqrProblem&, const OrgqrProblem&) = default;
};

/// The data of one orgqr call.
struct OrgqrOperands {
  /// The vectors of the reflectors, below the diagonal of the first k columns; overwritten with columns of Q. Other
  /// elements are not read.
  MatrixRef a{};
  MatrixRef tau{};  ///< k elements from geqrf() or LAPACK

  /// Device memory for this call alone, at least OrgqrPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A call of orgqr with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// Accuracy: each column differs from that of a matrix with orthonormal columns by at most c m k u in the 2-norm, to
/// first order in u. Here u is the roundoff of the type, and c is a small constant. Source: Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., lemma 19.3. Tests require LAPACK's threshold: |I - Q^H Q| <= 30 m u in
/// 1-norms.
class OrgqrPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory). Throws Error(invalid_configuration) if n exceeds m or k exceeds n. Throws Error(invalid_batch) for
  /// the stride of an operand that orgqr lacks, and Error(overlapping_operands) if A of different matrices share
  /// elements. If `choice` does not fit: Error(unknown_variant, unknown_parameter, unsupported_variant,
  /// invalid_configuration).
  TILEWRIGHT_API OrgqrPlan(const Engine& engine, const OrgqrProblem& problem, const Choice& choice = {});
  OrgqrPlan(OrgqrPlan&&) noexcept = default;
  OrgqrPlan& operator=(OrgqrPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A and tau, then the workspace. Throws Error(null_object,
  /// foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const OrgqrOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const OrgqrProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Computes columns of Q in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its
/// launches. Throws what OrgqrPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event orgqr(const Engine& engine, cl_command_queue queue, const OrgqrProblem& problem,
                           const OrgqrOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

}  // namespace tilewright
