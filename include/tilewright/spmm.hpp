// Sparse times dense: C = alpha op(A) B + beta C with a sparse A.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"
#include "tilewright/sparse.hpp"

namespace tilewright {

/// One product, or a batch of them. A is m x k as it is stored: op(A) B and C are m x n and B is k x n, or, where A is
/// transposed, C is k x n and B is m x n. n = 1 is a product with a vector; one whose elements are s apart is a
/// row-major matrix with one column and a leading dimension of s.
/// Sizes, leading dimensions, strides and offsets are in elements.
struct SpmmProblem {
  DataType type = DataType::f32;  ///< f32 or f64
  SparseFormat format = SparseFormat::csr;
  IndexType index_type = IndexType::i32;
  std::uint64_t index_base = 0;  ///< 0 or 1: the first row, column and offset
  Transpose trans_a = Transpose::no;
  Layout layout_b = Layout::row_major;
  Layout layout_c = Layout::row_major;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::uint64_t nonzeros = 0;  ///< stored elements of A
  /// Elements from one row (row-major) or column (column-major) to the next; 0 means densely stored.
  std::uint64_t ldb = 0;
  std::uint64_t ldc = 0;
  Batch batch{};

  friend bool operator==(const SpmmProblem&, const SpmmProblem&) = default;
};

/// How a plan is made.
struct SpmmOptions {
  Choice choice{};  ///< what is left empty is chosen by records, device, n and the lengths of the rows
  StructureCheck check = StructureCheck::valid;
  std::span<const cl_event> waits{};  ///< what must be complete before the structure is read
};

/// The matrices and scalars of one call. In f32 problems the scalars are rounded to float. Only stored elements are
/// multiplied: NaN and infinity in B reach C where a stored element meets them, be it 0.
/// beta = 0: C is not read. alpha = 0, or no stored elements: C is scaled, A and B are not read and may be null; with
/// beta = 1 it is left as it is.
struct SpmmOperands {
  Scalar alpha = 1;
  MatrixRef values{};  ///< of the stored elements, in the order of the structure
  MatrixRef b{};
  Scalar beta = 0;
  MatrixRef c{};
  /// SpmmPlan::workspace_bytes() for this call alone, until its event is complete; without a buffer the engine's own,
  /// which one call uses after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< as GemmOperands::event
};

/// Every variant, from the simplest to the fastest.
TILEWRIGHT_API std::vector<VariantInfo> spmm_variants();

/// What a plan would run for a structure with such rows, and why; needs no engine, and compiles nothing. A product
/// whose plan takes values in another order than that of the rows is a little apart from others: csc, a transposed csr,
/// and here every coo. Throws what SpmmPlan's constructor throws for a problem and a choice, Error(invalid_structure)
/// where the statistics are of a matrix of another size.
TILEWRIGHT_API Explanation explain_spmm(const DeviceProfile& device, const SpmmProblem& problem,
                                        const RowStatistics& statistics, const Choice& choice = {});

/// A structure that was read, checked and prepared, with a variant and its compiled kernels. Serves any values, B and
/// C. Safe to use from many threads. The same call gives the same bits every time.
/// There is no function that does without a plan: the library could not tell whether a structure's buffers still hold
/// what they held at the call before, and reading them for every product takes longer than the product.
class SpmmPlan {
 public:
  /// Reads the structure to the host, which blocks, and keeps a copy on the device: by the rows of op(A), with indices
  /// of 32 bits where they suffice. If A is stored differently (csc, a transposed csr, coo out of order), the plan also
  /// keeps the order of the values, and calls take the values as the caller stores them. The caller's buffers are not
  /// used afterwards. Buffers that the host may not read (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY) are first
  /// copied on the device. An empty product reads nothing.
  /// Throws Error(unsupported_type, unsupported_variant, unknown_variant, unknown_parameter, invalid_configuration,
  /// invalid_leading_dimension, invalid_structure, overlapping_operands, size_overflow, null_object, foreign_object,
  /// failed_wait, invalid_buffer, buffer_too_small, build_failed, out_of_memory, device_lost, opencl_failure).
  /// Of a wrong structure the message tells the row or column and the position.
  TILEWRIGHT_API SpmmPlan(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure,
                          const SpmmOptions& options = {});
  TILEWRIGHT_API ~SpmmPlan();
  TILEWRIGHT_API SpmmPlan(SpmmPlan&&) noexcept;
  TILEWRIGHT_API SpmmPlan& operator=(SpmmPlan&&) noexcept;

  /// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued, unless SpmmOperands::event is false; never blocks, never
  /// allocates device memory. The event's own profile is that of the last launch; with a workspace there are several,
  /// whose times Event::times() gives.
  /// Everything is checked before anything is enqueued, A before B before C: throws Error(null_object, foreign_object,
  /// failed_wait, invalid_buffer, buffer_too_small, overlapping_operands, invalid_workspace, workspace_too_small,
  /// overlapping_workspace, device_lost, out_of_memory, opencl_failure), whose operand() is the one that is wrong.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const SpmmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const SpmmProblem& problem() const;
  TILEWRIGHT_API const RowStatistics& statistics() const;
  TILEWRIGHT_API const std::string& variant() const;
  TILEWRIGHT_API const Configuration& configuration() const;
  TILEWRIGHT_API const std::string& reason() const;  ///< why this variant
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;
  /// Device memory that the plan keeps for the structure.
  TILEWRIGHT_API std::uint64_t structure_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewright
