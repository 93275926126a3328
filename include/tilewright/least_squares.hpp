// Overdetermined and underdetermined systems of equations, solved by QR factorisation.
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

/// A system of equations op(A) X = B, or a batch of systems. A is m x n and has full rank.
///
/// If op(A) has at least as many rows as columns, X minimises the 2-norm of each column of B - op(A) X. Otherwise the
/// system has many solutions, and each column of X is the one of smallest 2-norm. B has the rows of op(A), X has its
/// columns, and both have nrhs columns. Sizes, leading dimensions and strides count elements.
struct GelsProblem {
  DataType type = DataType::f32;      ///< element type of A, B and X: f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A and B
  /// op(A) = A, A^T or A^H. For real elements the last two are the same; complex elements have no A^T.
  Transpose trans = Transpose::no;
  std::uint64_t m = 0;     ///< rows of A
  std::uint64_t n = 0;     ///< columns of A
  std::uint64_t nrhs = 0;  ///< number of right-hand sides
  std::uint64_t lda = 0;   ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;   ///< leading dimension of the matrix that holds B and X; 0 means densely stored
  /// Promises that the offsets of A and B are multiples of this many elements, a power of two, which permits wide
  /// loads. GelsPlan::enqueue() refuses other offsets; gels() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of systems; stride_a, stride_b and stride_info give the distances

  friend bool operator==(const GelsProblem&, const GelsProblem&) = default;
};

/// The data of one gels call.
struct GelsOperands {
  /// The matrix; overwritten with its factors as geqrf() stores them if m >= n and nrhs > 0, otherwise unchanged.
  MatrixRef a{};
  /// A matrix of max(m, n) rows and nrhs columns. Its first rows are B, and are overwritten with X. If op(A) has more
  /// rows than columns, the sum of the squares of the remaining elements of a column is the square of its residual's
  /// norm. All elements become 0 if m or n is 0.
  MatrixRef b{};
  /// One 64-bit integer per system, written: 0, or i + 1 for the first i with R(i, i) = 0, where R is the factor of A
  /// or of A^H. Then A lacks full rank and X is undefined. NaN in A is no error and propagates. 0 if nrhs is 0.
  MatrixRef info{};

  /// Device memory for this call alone, at least GelsPlan::workspace_bytes() long, in use until the call's event
  /// completes. If null, the call uses the engine's workspace, and calls that share it run one after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< false: the call may return an empty Event, which saves a command on in-order queues
};

/// A solution with its kernels compiled, to be enqueued as often as you like, from any thread.
///
/// If m >= n, A = Q R: then X = R^-1 (Q^H B)(0 .. n - 1), or X = Q (R^-H B; 0) if op(A) is A^H. If m < n, the same is
/// done with A^H, a copy of which is factored. LAPACK's gels factors A = L Q instead, which is equivalent: L = R^H. A
/// and B are not scaled; their products must not overflow. Accuracy: X solves a problem with A + E exactly. To first
/// order in u, |E(:, j)| <= c max(m, n) k u |A(:, j)| in 2-norms. If m < n, the same holds for E^H and A^H. Here
/// k = min(m, n), u is the roundoff of the type, and c is a small constant. Source: Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., theorems 20.3 and 21.4. Tests require LAPACK's threshold of 30.
class GelsPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache. `choice`: variant of the products between blocks.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, size_overflow, build_failed,
  /// out_of_memory). Throws Error(invalid_configuration) if trans is Transpose::yes and the type is complex. Throws
  /// Error(invalid_batch) for the stride of an operand that gels lacks, and Error(overlapping_operands) if outputs of
  /// different systems share elements. If `choice` does not fit: Error(unknown_variant, unknown_parameter,
  /// unsupported_variant, invalid_configuration).
  TILEWRIGHT_API GelsPlan(const Engine& engine, const GelsProblem& problem, const Choice& choice = {});
  GelsPlan(GelsPlan&&) noexcept = default;
  GelsPlan& operator=(GelsPlan&&) noexcept = default;

  /// Enqueues the call after `waits` on an in-order or out-of-order queue. Never blocks or allocates device memory.
  /// Returns an event that covers all commands of the call; Event::times() has the times of all of them.
  /// Checks all arguments before it enqueues anything: A, B and info, then the workspace. Throws Error(null_object,
  /// foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, failed_wait, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the wrong one. The message says if commands were enqueued before a failure.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GelsOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GelsProblem& problem() const;
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;  ///< the kernels that run, and why
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;   ///< device memory of a call, without operands

 private:
  class State;
  detail::PlanPointer<std::shared_ptr<State>> state_;  // not shared: its deleter needs no complete type
};

/// Solves least-squares problems in one call. The engine keeps recent plans, so a repeated problem costs a look-up and
/// its launches. Throws what GelsPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event gels(const Engine& engine, cl_command_queue queue, const GelsProblem& problem,
                          const GelsOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
