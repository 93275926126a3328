// LU factorisation with partial pivoting, and what it is for: systems of equations, inverses, determinants.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright {

/// What is done, by LAPACK's names.
enum class LuTask {
  getrf,  ///< P A = L U; A becomes L, without its diagonal of ones, and U
  getrs,  ///< op(A) X = B by the factors; B becomes X
  gesv,   ///< both: A becomes its factors and B becomes X
  getri,  ///< the inverse by the factors, written to B
  det,    ///< the determinant by the factors
};

/// "getrf", "getrs", "gesv", "getri" or "det". Throws Error(unsupported_type) for what is no LuTask.
TILEWRIGHT_API std::string_view to_string(LuTask task);

/// How many refinements suit most matrices that are well enough conditioned for them.
inline constexpr std::uint64_t default_refinements = 5;

/// A task for one matrix A, or for a batch. A is m x n; for all tasks but getrf it is n x n, and m is not looked at.
/// B is n x nrhs, and of getri n x n. Row-major matrices are factored as they are, not their transposes.
struct LuProblem {
  LuTask task = LuTask::getrf;
  DataType type = DataType::f32;  ///< f32 or f64
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::no;  ///< of A in getrs; gesv takes A alone
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t nrhs = 0;  ///< of B in getrs and gesv
  /// Elements from one row (row-major) or column (column-major) to the next; 0 means densely stored.
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  /// A promise that the offsets of A and B are multiples of this many elements, as GemmProblem::offset_alignment.
  /// LuPlan::enqueue refuses offsets that break it; lu() lowers it by itself. A power of two.
  std::uint64_t offset_alignment = 16;
  Batch batch{};
  /// gesv in f64 alone, and no batch: where this is not 0, A is factored in f32, and X refined so often at most, 30 or
  /// less, see LuOperands::iterations. Faster where f32 is; right for condition numbers up to some 1e6.
  std::uint64_t refinements = 0;

  friend bool operator==(const LuProblem&, const LuProblem&) = default;
};

/// The matrices of one call; what a task has no use for is not looked at.
struct LuOperands {
  MatrixRef a{};
  /// min(m, n) integers of 64 bits: row i was exchanged with row pivots[i], counted from 0, in this order. Written by
  /// getrf and gesv, read by the others.
  MatrixRef pivots{};
  /// One integer of 64 bits, written by getrf and gesv: 0, or i + 1 where element (i, i) of U is exactly 0, for the
  /// first such i. As in LAPACK the factorisation is completed, and only then is it known that A is singular; X is
  /// then made of infinities and NaN. A NaN in A is no error: it spreads.
  MatrixRef info{};
  MatrixRef b{};
  /// Two numbers of the type, written by det: the sign, 1, -1 or 0, and the logarithm of the size, -infinity with the
  /// sign 0. Both are NaN where U has one on its diagonal.
  MatrixRef determinant{};
  /// One integer of 64 bits, written by gesv with refinements: the number of refinements that were needed, from 0 on,
  /// or -1. As in LAPACK's dsgesv, a column is solved once |B - A X| <= |X| |A| sqrt(n) 2^-53 in norms of infinity, and
  /// is not touched again. B becomes X only if all columns are solved. Otherwise A is too ill-conditioned, singular in
  /// f32 (see info), or too small or too large for f32; iterations is -1 and B is what it was. Call gesv without
  /// refinements on the same operands then. A is left as it was in either case; pivots and info are those of A rounded
  /// to f32, whose factors are not kept.
  MatrixRef iterations{};
  /// LuPlan::workspace_bytes() for this call alone, as GemmOperands::workspace.
  WorkspaceRef workspace{};
};

/// A problem with its compiled kernels and the plans of its products and triangular systems, ready to be enqueued as
/// often as wanted. Safe to use from many threads. Calls run one after another on the device, unless the caller lends
/// each its workspace.
///
/// The pivot is the element of largest size in its column, of equals the first; a NaN counts where it comes first. So
/// |L| <= 1 for pivots of any size and, with k = min(m, n) and u the roundoff of the type,
/// |P A - L U| <= gamma_(k+4) |L| |U| element by element (Higham, "Accuracy and Stability of Numerical Algorithms",
/// theorem 9.3), if no result overflows or is subnormal.
class LuPlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store. `products` is the choice for the
  /// products of large blocks, see GemmPlan.
  /// Throws Error(unsupported_type, invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands,
  /// invalid_offset; invalid_configuration for refinements of other tasks, or too many), and what GemmPlan's
  /// constructor throws.
  TILEWRIGHT_API LuPlan(const Engine& engine, const LuProblem& problem, const Choice& products = {});
  TILEWRIGHT_API ~LuPlan();
  TILEWRIGHT_API LuPlan(LuPlan&&) noexcept;
  TILEWRIGHT_API LuPlan& operator=(LuPlan&&) noexcept;

  /// Enqueues the task after `waits` on a queue of the engine's context and device, in-order or out-of-order. Returns
  /// an event that covers everything enqueued; never blocks, never allocates device memory. The event's own profile is
  /// that of the last of many launches, or of a marker; Event::times() gives the times of all launches.
  /// Everything is checked before anything is enqueued, A before pivots, info, B, iterations, determinant and the
  /// workspace: throws Error(null_object, foreign_object, failed_wait, invalid_buffer, invalid_offset,
  /// buffer_too_small, overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace,
  /// device_lost, out_of_memory, opencl_failure). Its operand() is a or b, `result` for pivots, info, iterations and
  /// determinant, or workspace. Where OpenCL fails after a part of the call was enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const LuOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const LuProblem& problem() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what LuPlan's constructor and LuPlan::enqueue throw.
TILEWRIGHT_API Event lu(const Engine& engine, cl_command_queue queue, const LuProblem& problem,
                        const LuOperands& operands, std::span<const cl_event> waits = {}, const Choice& products = {});

}  // namespace tilewright
