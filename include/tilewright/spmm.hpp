// Products of a sparse and a dense matrix: C = alpha op(A) B + beta C with a sparse A.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/plan_pointer.hpp"
#include "tilewright/scalar.hpp"
#include "tilewright/sparse.hpp"

namespace tilewright {

/// A product, or a batch of products that share the structure of A.
///
/// Computes C = alpha op(A) B + beta C. A is m x k as it is stored. If op(A) = A, then B is k x n and C is m x n. If
/// op(A) = A^T, then B is m x n and C is k x n. n = 1 is a product with a vector; a vector with an increment is a
/// row-major matrix of one column whose leading dimension is the increment. All sizes, leading dimensions, strides and
/// offsets count elements.
struct SpmmProblem {
  DataType type = DataType::f32;            ///< element type of A, B and C: f32 or f64
  SparseFormat format = SparseFormat::csr;  ///< how the positions of A's elements are stored
  IndexType index_type = IndexType::i32;    ///< integer type of the structure
  std::uint64_t index_base = 0;             ///< 0 or 1: the number of the first row, column and offset
  Transpose trans_a = Transpose::no;        ///< op(A) = A or A^T
  Layout layout_b = Layout::row_major;      ///< storage order of B
  Layout layout_c = Layout::row_major;      ///< storage order of C
  std::uint64_t m = 0;                      ///< rows of A
  std::uint64_t n = 0;                      ///< columns of B and C
  std::uint64_t k = 0;                      ///< columns of A
  std::uint64_t nonzeros = 0;               ///< stored elements of A
  std::uint64_t ldb = 0;                    ///< leading dimension of B; 0 means densely stored
  std::uint64_t ldc = 0;                    ///< leading dimension of C; 0 means densely stored
  Batch batch{};  ///< number of products, and the distances between consecutive values of A, B and C

  friend bool operator==(const SpmmProblem&, const SpmmProblem&) = default;
};

/// A sparse product as tuning records describe it: by the statistics of its rows instead of the positions of the
/// elements. A is in the order of its rows, B and C are row-major and densely stored, and there is no batch.
struct SpmmShape {
  DataType type = DataType::f32;  ///< element type of A, B and C: f32 or f64
  std::uint64_t n = 0;            ///< columns of B and C
  RowStatistics rows{};           ///< the rows of A

  friend bool operator==(const SpmmShape&, const SpmmShape&) = default;
};

/// The data of one call.
///
/// Only stored elements are multiplied. So NaN and infinity in B reach C exactly where a stored element, even a stored
/// 0, meets them.
struct SpmmOperands {
  Scalar alpha = 1;    ///< real; rounded to `type`. 0: the values and B are not read and may be null
  MatrixRef values{};  ///< the stored elements of A, in the order of the structure; may be null if there are none
  MatrixRef b{};       ///< the dense factor; may be null if A has no stored elements
  Scalar beta = 0;     ///< real; rounded to `type`. 0: C is not read. 1 with alpha = 0: C stays unchanged
  MatrixRef c{};       ///< overwritten with the result

  /// Device memory for this call alone, at least SpmmPlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us of device time per call on NVIDIA GPUs.
  bool event = true;
};

/// Lists all variants, from the simplest to the fastest.
[[nodiscard]] TILEWRIGHT_API std::vector<VariantInfo> spmm_variants();

/// Reports whether a variant can compute a product of a matrix with such rows on a device. Throws
/// Error(unknown_variant), Error(invalid_structure) if the statistics belong to a matrix of another size, and what
/// SpmmPlan's constructor throws for an invalid problem.
[[nodiscard]] TILEWRIGHT_API Support spmm_support(const DeviceProfile& device, std::string_view variant,
                                                  const SpmmProblem& problem, const RowStatistics& statistics);

/// Explains which variant and configuration a plan would run for a matrix with such rows, and why. Needs no engine and
/// compiles nothing. Assumes that the values of a coo matrix are not ordered by rows; a plan knows their order. Throws
/// Error(invalid_structure) if the statistics belong to a matrix of another size, and what SpmmPlan's constructor
/// throws for an invalid problem or choice.
[[nodiscard]] TILEWRIGHT_API Explanation explain_spmm(const DeviceProfile& device, const SpmmProblem& problem,
                                                      const RowStatistics& statistics, const Choice& choice = {});

/// A problem and the structure of A, with its kernels compiled and its launches prepared. Enqueue it as often as you
/// like, with any values, B and C, from any thread. Calls that need a workspace run one after another on the device,
/// unless each has a workspace of its own.
///
/// Accuracy: |C' - C| <= gamma(r + 2) |alpha| |op(A)| |B| + gamma(2) |beta| |C| element by element, where r is the
/// number of stored elements in the row. Here gamma(i) = i u / (1 - i u), and u is the roundoff of the type. The same
/// plan gives the same bits every time. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
/// section 3.1.
///
/// There is no function spmm() that plans and enqueues in one call. A kernel is chosen and prepared by what the buffers
/// of the structure hold, and a program may have rewritten them since the previous call. The library could only notice
/// by reading the structure again, which blocks and takes longer than the product.
class SpmmPlan {
 public:
  /// Reads the structure to the host after `waits`, which blocks, validates it as `structure.check` says, compiles the
  /// kernels, and keeps a copy of the structure on the device. The caller's buffers are not used afterwards. An empty
  /// product reads nothing. `choice` forces a variant or values of its parameters; by default the library chooses.
  ///
  /// The copy holds the rows of op(A), with 32-bit indices if they suffice. If A is stored differently (csc, transposed
  /// csr, unordered coo), the plan also keeps the order of the values, and calls take the values as the caller stores
  /// them. Buffers that the host may not read (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY) are first copied on the
  /// device.
  ///
  /// Throws Error with
  ///   unsupported_type           the device or the operation lacks `type`
  ///   invalid_leading_dimension  ldb or ldc is smaller than a row (or column) of its matrix
  ///   invalid_batch              a stride belongs to an operand that spmm does not have
  ///   overlapping_operands       stride_c makes matrices C share elements
  ///   size_overflow              a size does not fit into 64 bits or into the index type
  ///   invalid_structure          the structure is invalid; the message names the row or column and the position
  ///   null_object, foreign_object, invalid_buffer, buffer_too_small
  ///                              a buffer of the structure cannot be read, or is too short
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` names no variant or parameter, or one that cannot compute this problem
  ///   failed_wait                an event in `waits` has already failed
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory, device_lost, opencl_failure
  TILEWRIGHT_API SpmmPlan(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure,
                          const Choice& choice = {}, std::span<const cl_event> waits = {});
  TILEWRIGHT_API ~SpmmPlan();
  TILEWRIGHT_API SpmmPlan(SpmmPlan&&) noexcept;
  TILEWRIGHT_API SpmmPlan& operator=(SpmmPlan&&) noexcept;

  /// Enqueues the product after `waits` on `queue`, an in-order or out-of-order queue of the engine's context and
  /// device. Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// SpmmOperands::event is false. A call with a workspace consists of several launches; Event::times() covers all of
  /// them. The first call may also save the compiled program to disk, see Engine::save_programs().
  ///
  /// All arguments are checked before anything is enqueued, in the order A, B, C, workspace.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context or device
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   invalid_scalar                    alpha or beta has an imaginary part
  ///   overlapping_operands              C shares elements with the values or B
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const SpmmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  /// The problem as it was passed to the constructor.
  [[nodiscard]] TILEWRIGHT_API const SpmmProblem& problem() const;
  /// Statistics of the rows of op(A).
  [[nodiscard]] TILEWRIGHT_API const RowStatistics& statistics() const;
  /// Which variant and configuration run, and why. `candidates` is empty; explain_spmm() lists them.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Bytes of device memory that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;
  /// Bytes of device memory that the plan keeps for the structure.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t structure_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

}  // namespace tilewright
