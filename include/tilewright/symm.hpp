// Products with a symmetric or Hermitian matrix: C = alpha A B + beta C or C = alpha B A + beta C.
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

/// A product with a symmetric or Hermitian matrix, or a batch of such products: BLAS's symm and hemm.
///
/// Computes C = alpha A B + beta C (Side::left) or C = alpha B A + beta C (Side::right). B and C are m x n. A is
/// symmetric or Hermitian, of order m on the left and n on the right, and only one of its triangles is stored. Sizes,
/// leading dimensions, strides and offsets count elements.
struct SymmProblem {
  DataType type = DataType::f32;            ///< element type of A, B and C: f32, f64, c64, c128, f16 or bf16
  Layout layout = Layout::row_major;        ///< storage order of A, B and C
  Symmetry symmetry = Symmetry::symmetric;  ///< A = A^T; hermitian: A = A^H, whose diagonal counts as real (hemm)
  Side side = Side::left;                   ///< side of B on which A appears
  Uplo uplo = Uplo::lower;                  ///< triangle of A that is read; the other one may hold anything
  std::uint64_t m = 0;                      ///< rows of B and C
  std::uint64_t n = 0;                      ///< columns of B and C
  std::uint64_t lda = 0;                    ///< leading dimension of A; 0 means densely stored
  std::uint64_t ldb = 0;                    ///< leading dimension of B; 0 means densely stored
  std::uint64_t ldc = 0;                    ///< leading dimension of C; 0 means densely stored

  /// Promise that the offsets of A, B and C are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. SymmPlan::enqueue() rejects offsets that break the promise; symm() lowers it
  /// automatically.
  std::uint64_t offset_alignment = 16;

  /// Number of products, and the distances stride_a, stride_b and stride_c between consecutive matrices. All products
  /// share one A or B if its stride is 0. The matrices C must not share elements.
  Batch batch{};

  friend bool operator==(const SymmProblem&, const SymmProblem&) = default;
};

/// The data of one call of symm.
struct SymmOperands {
  Scalar alpha = 1;  ///< complex only for complex types; 0: A and B are not read and may be null
  MatrixRef a{};     ///< the symmetric or Hermitian matrix
  MatrixRef b{};     ///< the general matrix
  Scalar beta = 0;   ///< complex only for complex types; 0: C is not read
  MatrixRef c{};     ///< overwritten with the result

  /// Device memory for this call alone, at least SymmPlan::workspace_bytes() long, in use until the call's event
  /// completes. If its buffer is null, the engine's shared workspace is used, and calls that share it run one after
  /// another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Later commands of an in-order queue still wait for the call. Saves
  /// about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// A symm problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any
/// thread.
///
/// Each call expands A, or its diagonal blocks, to full matrices in the workspace, and multiplies them by gemm. It
/// expands blocks only if B has few columns (rows for Side::right), or if the full matrices would take more than a
/// quarter of the largest allocation.
///
/// Accuracy: element by element, |C' - C| <= gamma(k + 4) |alpha| |A| |B| + gamma(4 + 2 log2(k)) |beta| |C|, where C'
/// is the computed result and k the order of A. Here gamma(i) = i u / (1 - i u), and u is the roundoff of the sums:
/// 2^-24 for f32, c64, f16 and bf16, 2^-53 for f64 and c128. f16 and bf16 add one rounding when C is stored. For
/// complex types the bound holds for each part with 2 k instead of k, and a complex alpha or beta adds up to four
/// roundings. Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5. Each operation
/// with a subnormal result adds at most half of the smallest subnormal to the error. NaN and infinity propagate.
class SymmPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the gemm variant of the products; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           symm does not support `type`, or the device lacks it
  ///   invalid_leading_dimension  lda, ldb or ldc is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is not a power of two
  ///   invalid_batch              `batch` has a stride that symm does not use, or by_offsets is true
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       stride_c makes matrices of C share elements
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` cannot be used for the products, or the device cannot run the kernels
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the device cannot allocate the workspace
  TILEWRIGHT_API SymmPlan(const Engine& engine, const SymmProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~SymmPlan();
  TILEWRIGHT_API SymmPlan(SymmPlan&&) noexcept;
  TILEWRIGHT_API SymmPlan& operator=(SymmPlan&&) noexcept;

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
  ///   overlapping_operands                  C shares elements with A or B
  ///   invalid_workspace                     the offset of the workspace is not a multiple of 256, or its buffer cannot
  ///                                         be read and written
  ///   workspace_too_small, overlapping_workspace
  ///                                         the workspace is too short, or shares memory with A, B or C
  ///   device_lost, out_of_memory, opencl_failure
  ///                                         OpenCL failed; the message says if a part of the call was enqueued
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const SymmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const SymmProblem& problem() const;

  /// Returns which parts of A are expanded. Its parts are the matrix products, each size once.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;

  /// Returns the device memory in bytes that a call needs besides its operands: the expanded matrices, and the
  /// workspace of the products.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes C = alpha A B + beta C or C = alpha B A + beta C: plans and enqueues in one call. The engine keeps recent
/// plans, so a repeated problem costs a look-up and its launches. Throws what SymmPlan's constructor and enqueue()
/// throw.
TILEWRIGHT_API Event symm(const Engine& engine, cl_command_queue queue, const SymmProblem& problem,
                          const SymmOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
