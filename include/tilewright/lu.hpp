// LU factorisation with partial pivoting, and its uses: systems of equations, inverses and determinants.
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

namespace tilewright {

/// A matrix to factor, or a batch of matrices: P A = L U.
///
/// A is m x n. P interchanges rows, L is unit lower trapezoidal, and U is upper trapezoidal. A row-major matrix is
/// factored itself, not its transpose. Sizes, leading dimensions and strides count elements.
struct GetrfProblem {
  DataType type = DataType::f32;      ///< element type of A: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  std::uint64_t m = 0;                ///< rows of A
  std::uint64_t n = 0;                ///< columns of A
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  /// Promises that the offset of A is a multiple of this many elements, a power of two, which permits wide loads.
  /// GetrfPlan::enqueue() refuses other offsets; getrf() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of matrices; stride_a, stride_pivots and stride_info give the distances

  friend bool operator==(const GetrfProblem&, const GetrfProblem&) = default;
};

/// The data of one getrf call.
struct GetrfOperands {
  MatrixRef a{};  ///< the matrix; overwritten with L, without its diagonal of ones, and U
  /// min(m, n) 64-bit integers, written: row i was interchanged with row pivots[i], counted from 0, in the order of i
  MatrixRef pivots{};
  /// One 64-bit integer per matrix, written: 0, or i + 1 for the first i with U(i, i) = 0. Such a matrix is singular;
  /// its factorisation is completed all the same. NaN in A is no error and propagates.
  MatrixRef info{};

  /// Device memory for this call alone, at least GetrfPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A factorisation with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// The pivot is the element of largest magnitude in its column, the first one among equals. The magnitude of a complex
/// element is |re| + |im|, as in LAPACK. A NaN is the pivot only if it comes first. Therefore |L| <= 1, or sqrt(2) for
/// complex elements. Accuracy: |P A - L U| <= gamma(k + 4) |L| |U| element by element, if no intermediate result
/// overflows or is subnormal. Here k = min(m, n), gamma(i) = i u / (1 - i u), and u is the roundoff of the type. For
/// complex elements the factor is sqrt(2) gamma(2 k + 20). Source: Higham, "Accuracy and Stability of Numerical
/// Algorithms", 2nd ed., theorem 9.3, and section 3.6 for complex arithmetic.
class GetrfPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory); Error(invalid_batch) for the stride of an operand that getrf lacks; Error(overlapping_operands) if
  /// outputs of different matrices share elements. If `choice` does not fit: Error(unknown_variant, unknown_parameter,
  /// unsupported_variant, invalid_configuration).
  TILEWRIGHT_API GetrfPlan(const Engine& engine, const GetrfProblem& problem, const Choice& choice = {});
  GetrfPlan(GetrfPlan&&) noexcept = default;
  GetrfPlan& operator=(GetrfPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, pivots and info, then the workspace. Throws
  /// Error(null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
  /// invalid_workspace, workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory,
  /// opencl_failure), whose operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GetrfOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GetrfProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Factors matrices in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what GetrfPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event getrf(const Engine& engine, cl_command_queue queue, const GetrfProblem& problem,
                           const GetrfOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// A system of equations with a factored matrix, or a batch of systems: op(A) X = B.
///
/// A is n x n and was factored by getrf() or gesv() in the same layout. B and X are n x nrhs. Sizes, leading dimensions
/// and strides count elements.
struct GetrsProblem {
  DataType type = DataType::f32;      ///< element type of A, B and X: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  Transpose trans = Transpose::no;    ///< op(A) = A, A^T or A^H; for real elements A^H is A^T
  std::uint64_t n = 0;                ///< order of A, rows of B
  std::uint64_t nrhs = 0;             ///< number of right-hand sides: columns of B
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored
  /// Promises that the offsets of A and B are multiples of this many elements, a power of two, which permits wide
  /// loads. GetrsPlan::enqueue() refuses other offsets; getrs() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of systems; stride_a, stride_b and stride_pivots. If stride_a is 0, they share one A

  friend bool operator==(const GetrsProblem&, const GetrsProblem&) = default;
};

/// The data of one getrs call.
struct GetrsOperands {
  MatrixRef a{};  ///< the factors L and U
  /// n integers from getrf() or gesv(): row i was interchanged with row pivots[i], counted from 0, in the order of i
  MatrixRef pivots{};
  MatrixRef b{};  ///< the right-hand sides; overwritten with X

  /// Device memory for this call alone, at least GetrsPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A solution of systems with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// Accuracy: to first order in u, |op(A) X - B| <= gamma(n + 4) (4 op(G) |X| + |B|) element by element, however
/// ill-conditioned A is. Here G = P^T |L| |U|, A is the exact product P^T L U of the factors, gamma(i) = i u / (1 - i
/// u), and u is the roundoff of the type. For complex elements the factor is sqrt(2) gamma(2 n + 20). Source: Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 9.3, and section 3.6 for complex arithmetic. A
/// zero on the diagonal of U gives infinities and NaN.
class GetrsPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory); Error(invalid_batch) for the stride of an operand that getrs lacks; Error(overlapping_operands) if
  /// B of different systems share elements. If `choice` does not fit: Error(unknown_variant, unknown_parameter,
  /// unsupported_variant, invalid_configuration).
  TILEWRIGHT_API GetrsPlan(const Engine& engine, const GetrsProblem& problem, const Choice& choice = {});
  GetrsPlan(GetrsPlan&&) noexcept = default;
  GetrsPlan& operator=(GetrsPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, pivots and B, then the workspace. Throws Error(null_object,
  /// foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GetrsOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GetrsProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Solves systems with factored matrices in one call. The engine keeps recent plans, so a repeated problem costs a
/// look-up and its launches. Throws what GetrsPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event getrs(const Engine& engine, cl_command_queue queue, const GetrsProblem& problem,
                           const GetrsOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// Number of refinements that suits most matrices with a condition number of up to about 1e6.
inline constexpr std::uint64_t default_refinements = 5;

/// A system of equations, or a batch of systems: A X = B.
///
/// A is n x n; B and X are n x nrhs. A is factored as P A = L U, where P interchanges rows. Sizes, leading dimensions
/// and strides count elements.
struct GesvProblem {
  DataType type = DataType::f32;      ///< element type of A, B and X: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  std::uint64_t n = 0;                ///< order of A, rows of B
  std::uint64_t nrhs = 0;             ///< number of right-hand sides: columns of B
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored
  /// Promises that the offsets of A and B are multiples of this many elements, a power of two, which permits wide
  /// loads. GesvPlan::enqueue() refuses other offsets; gesv() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of systems; stride_a, stride_b, stride_pivots and stride_info give the distances
  /// Maximum number of refinements, at most 30; 0: A is factored in `type`. Otherwise A is factored in f32 and X is
  /// refined to f64, or in c64 to c128, which is faster if the device computes faster in f32. Requires f64 or c128, and
  /// a single system. Suits condition numbers up to about 1e6.
  std::uint64_t refinements = 0;

  friend bool operator==(const GesvProblem&, const GesvProblem&) = default;
};

/// The data of one gesv call.
struct GesvOperands {
  MatrixRef a{};  ///< the matrix; overwritten with L, without its diagonal of ones, and U. Unchanged by refinements
  /// n 64-bit integers per system, written: row i was interchanged with row pivots[i], counted from 0, in the order of
  /// i. With refinements they belong to A rounded to f32 or c64, whose factors are not kept.
  MatrixRef pivots{};
  /// One 64-bit integer per system, written: 0, or i + 1 for the first i with U(i, i) = 0. Then A, with refinements A
  /// rounded to f32 or c64, is singular and X is undefined. NaN in A is no error and propagates.
  MatrixRef info{};
  MatrixRef b{};  ///< the right-hand sides; overwritten with X
  /// One 64-bit integer, written if the problem has refinements, otherwise ignored: the number of refinements used, or
  /// -1 if A is too ill-conditioned, singular in f32, or outside its range. Then B is unchanged too; call gesv()
  /// without refinements on the same operands.
  MatrixRef iterations{};

  /// Device memory for this call alone, at least GesvPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A factorisation and solution with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// The pivot is the element of largest magnitude in its column, the first one among equals; that of a complex element
/// is |re| + |im|. With u the roundoff of the type, |P A - L U| <= gamma_(n+4) |L| |U| and |L U X - P B| <= gamma_(n+4)
/// (4 |L| |U| |X| + P |B|), both element by element. The second holds to first order in u, and both if no intermediate
/// result overflows or is subnormal. For complex elements the factor is sqrt(2) gamma_(2n+20). Source: Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorem 9.3 and section 9.3. With refinements, X is
/// accepted if each column x satisfies |b - A x| <= |x| |A| sqrt(n) 2^-53 in infinity norms, as in LAPACK's dsgesv and
/// zcgesv. Complex elements of residuals and of x count as |re| + |im|.
class GesvPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory); Error(invalid_batch) for the stride of an operand that gesv lacks; Error(overlapping_operands) if
  /// outputs of different systems share elements. With refinements also Error(unsupported_type) for f32
  /// and c64, Error(invalid_configuration) for more than 30, and Error(invalid_batch) for several systems. If `choice`
  /// does not fit: Error(unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration).
  TILEWRIGHT_API GesvPlan(const Engine& engine, const GesvProblem& problem, const Choice& choice = {});
  GesvPlan(GesvPlan&&) noexcept = default;
  GesvPlan& operator=(GesvPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, pivots, info, B and iterations, then the workspace. Throws
  /// Error(null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
  /// invalid_workspace, workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory,
  /// opencl_failure), whose operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GesvOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GesvProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Factors matrices and solves systems in one call. The engine keeps recent plans, so a repeated problem costs a
/// look-up and its launches. Throws what GesvPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event gesv(const Engine& engine, cl_command_queue queue, const GesvProblem& problem,
                          const GesvOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

/// The inverse of a factored matrix, or of a batch: B = A^-1.
///
/// A is n x n and was factored by getrf() or gesv() in the same layout. B is n x n and separate from A. Sizes, leading
/// dimensions and strides count elements.
struct GetriProblem {
  DataType type = DataType::f32;      ///< element type of A and B: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  std::uint64_t n = 0;                ///< order of A and B
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;              ///< leading dimension of B; 0 means densely stored
  /// Promises that the offsets of A and B are multiples of this many elements, a power of two, which permits wide
  /// loads. GetriPlan::enqueue() refuses other offsets; getri() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of matrices; stride_a, stride_b and stride_pivots give the distances

  friend bool operator==(const GetriProblem&, const GetriProblem&) = default;
};

/// The data of one getri call.
struct GetriOperands {
  MatrixRef a{};  ///< the factors L and U
  /// n integers from getrf() or gesv(): row i was interchanged with row pivots[i], counted from 0, in the order of i
  MatrixRef pivots{};
  MatrixRef b{};  ///< the inverse, written

  /// Device memory for this call alone, at least GetriPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// An inversion with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// Accuracy: to first order in u, |A B - I| <= gamma(n + 4) (4 G |B| + I) element by element. Here G = P^T |L| |U|, A
/// is the exact product P^T L U of the factors, gamma(i) = i u / (1 - i u), and u is the roundoff of the type. For
/// complex elements the factor is sqrt(2) gamma(2 n + 20). To solve systems, getrs() is faster and more accurate than a
/// product with the inverse. A zero on the diagonal of U gives infinities and NaN.
class GetriPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory); Error(invalid_batch) for the stride of an operand that getri lacks; Error(overlapping_operands) if
  /// B of different matrices share elements. If `choice` does not fit: Error(unknown_variant, unknown_parameter,
  /// unsupported_variant, invalid_configuration).
  TILEWRIGHT_API GetriPlan(const Engine& engine, const GetriProblem& problem, const Choice& choice = {});
  GetriPlan(GetriPlan&&) noexcept = default;
  GetriPlan& operator=(GetriPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, pivots and B, then the workspace. Throws Error(null_object,
  /// foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GetriOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GetriProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Inverts factored matrices in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its
/// launches. Throws what GetriPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event getri(const Engine& engine, cl_command_queue queue, const GetriProblem& problem,
                           const GetriOperands& operands, std::span<const cl_event> waits = {},
                           const Choice& choice = {});

/// The determinant of a factored matrix, or of a batch of matrices.
///
/// A is n x n and was factored by getrf() or gesv() in the same layout. Sizes and strides count elements.
struct DetProblem {
  DataType type = DataType::f32;      ///< element type of A and of the determinant: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  std::uint64_t n = 0;                ///< order of A; the determinant of an empty matrix is 1
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  Batch batch{};  ///< number of matrices; stride_a, stride_pivots and stride_determinant give the distances

  friend bool operator==(const DetProblem&, const DetProblem&) = default;
};

/// The data of one det call.
struct DetOperands {
  MatrixRef a{};  ///< the factors L and U
  /// n integers from getrf() or gesv(): row i was interchanged with row pivots[i], counted from 0, in the order of i
  MatrixRef pivots{};
  /// Two elements of the type per matrix, written: the sign, which is 1, -1 or 0, and the natural logarithm of the
  /// magnitude, which is -infinity if the sign is 0. Both are NaN if the diagonal of U contains NaN. The sign of a
  /// complex determinant d is d / |d| or 0, and the imaginary part of its logarithm is 0, so that d = sign
  /// exp(logarithm) for every type.
  MatrixRef determinant{};

  /// Device memory for this call alone, at least DetPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A computation of determinants with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// The sign of a real determinant is exact. With u the roundoff of the type, the error of the logarithm is at most
/// 2 u (n + 4) (1 + sum of |log |U(i, i)||). For complex elements it is at most 4 times as large, and the error of the
/// sign is at most 16 u (n + 4). The determinant is that of the exact product P^T L U.
class DetPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice` is ignored: det computes no matrix products.
  /// Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, build_failed, out_of_memory);
  /// Error(invalid_batch) for the stride of an operand that det lacks; Error(overlapping_operands) if determinants
  /// share elements.
  TILEWRIGHT_API DetPlan(const Engine& engine, const DetProblem& problem, const Choice& choice = {});
  DetPlan(DetPlan&&) noexcept = default;
  DetPlan& operator=(DetPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, pivots and determinant, then the workspace. Throws
  /// Error(null_object, foreign_object, invalid_buffer, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const DetOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const DetProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Computes determinants of factored matrices in one call. The engine keeps recent plans, so a repeated problem costs a
/// look-up and its launches. Throws what DetPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event det(const Engine& engine, cl_command_queue queue, const DetProblem& problem,
                         const DetOperands& operands, std::span<const cl_event> waits = {}, const Choice& choice = {});

}  // namespace tilewright
