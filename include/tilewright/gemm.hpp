// General matrix product: C = alpha op(A) op(B) + beta C.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_epilogue.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// How exact products of f32 matrices must be. What is not exact is faster where a device has tensor cores that OpenCL
/// C reaches; elsewhere every product is `full`. Other types take `full` alone.
enum class Accuracy {
  /// |C' - C| <= gamma_(k+2) |alpha| |A| |B| + gamma_2 |beta| |C| for every element, with the roundoff of the type.
  full,
  /// Twice that bound. Each element is split into two of eleven digits, and three products of such are added up (Ootomo
  /// and Yokota, "Recovering single precision accuracy from Tensor Cores", 2022). Elements below 2^-100 may lose
  /// digits.
  fp32_split,
  /// Elements of A and B may be cut to eleven digits first (TF32): 2^-9 |alpha| |A| |B| more.
  tf32,
};

/// "full", "fp32_split" or "tf32". Throws Error(unsupported_type) for what is no Accuracy.
TILEWRIGHT_API std::string_view to_string(Accuracy accuracy);

/// One product to do, or a batch of them. op(A) is m x k, op(B) is k x n, C is m x n.
/// Sizes, leading dimensions, strides and offsets are in elements. A complex problem is done as the real product of
/// op(A), whose parts are twice as many columns, with a 2k x 2n matrix that is made of alpha and op(B) in a workspace.
struct GemmProblem {
  DataType type = DataType::f32;  ///< of the elements of A and B; sums are in accumulator_of(type)
  /// Of the elements of C: `type`, or accumulator_of(type), which keeps sums as they are. Unset: `type`, but for i8 and
  /// u8 i32. Their C can be `type` and f32, too: see GemmEpilogue. A and B cannot be i32.
  std::optional<DataType> type_c{};
  Accuracy accuracy = Accuracy::full;
  Layout layout = Layout::row_major;
  Transpose trans_a = Transpose::no;
  Transpose trans_b = Transpose::no;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  /// Elements from one row (row-major) or column (column-major) of the stored matrix to the next; 0 means densely
  /// stored.
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  std::uint64_t ldc = 0;
  /// A promise that the offsets of A, B, C and the residual are multiples of this many elements, so that kernels may
  /// load whole vectors. GemmPlan::enqueue refuses offsets that break it; gemm() lowers it by itself. A power of two.
  std::uint64_t offset_alignment = 16;
  Batch batch{};
  GemmEpilogue epilogue{};  ///< what is fused into the product; nothing with exact sums or complex numbers

  friend bool operator==(const GemmProblem&, const GemmProblem&) = default;
};

/// How many elements the matrices of each product of a batch lie after the call's first elements of A, B and C: as
/// many of each as there are products. Only read during the call.
struct GemmOffsets {
  std::span<const std::uint64_t> a{};
  std::span<const std::uint64_t> b{};
  std::span<const std::uint64_t> c{};
};

/// alpha and beta of each product of a batch: as many as there are products, or none where all have the call's own.
/// Only read during the call. Products that follow one another and have the same ones are done in one launch. Of a
/// product whose alpha is 0, A and B lie in their buffers but reach nothing; with beta = 1 its C is left as it is,
/// where the problem has no epilogue.
struct GemmScalars {
  std::span<const Scalar> alpha{};
  std::span<const Scalar> beta{};
};

class PackedMatrix;

/// The matrices and scalars of one call. The scalars are rounded to accumulator_of(type): their parts to float, except
/// in f64 and c128 problems. Only those of complex problems may have an imaginary part. With i8 and u8 they must be
/// whole numbers from -2^31 to 2^31 - 1, and C = alpha A B + beta C is exact modulo 2^32. beta = 0: C is not read.
/// alpha = 0 or k = 0: A and B are not read and may be null; with beta = 1 C is left as it is where the problem has no
/// epilogue.
struct GemmOperands {
  Scalar alpha = 1;
  MatrixRef a{};
  MatrixRef b{};
  Scalar beta = 0;
  MatrixRef c{};
  GemmOffsets offsets{};  ///< where the problem's batch is by offsets
  /// What stands for A or B, whose MatrixRef is then not read.
  const PackedMatrix* packed_a = nullptr;
  const PackedMatrix* packed_b = nullptr;
  /// GemmPlan::workspace_bytes() for this call alone, until its event is complete; without a buffer the engine's own,
  /// which one call uses after another.
  WorkspaceRef workspace{};
  GemmScalars scalars{};  ///< what stands for alpha and beta in the products of a batch
  /// false: the call need not make an event, and the one that it returns may be null. On NVIDIA an event takes 2 us of
  /// the device's time. What comes next in an in-order queue waits all the same. Where a call used the engine's
  /// workspace, one on another queue that needs it waits for all that this queue had got by then.
  bool event = true;
  /// What the problem's epilogue names; the others are not read. All products of a batch share `scale` and `bias`,
  /// which hold numbers of accumulator_of(type), with i8 and u8 of f32, one after another from any offset on. The
  /// residual has the type of C.
  /// None of them may share elements with C: for C = product + C there is beta.
  MatrixRef scale{};
  MatrixRef bias{};
  MatrixRef residual{};
};

/// Every variant, from the simplest to the fastest.
TILEWRIGHT_API std::vector<VariantInfo> gemm_variants();

/// Whether a variant can do a problem on a device. Throws Error(unknown_variant).
TILEWRIGHT_API Support gemm_support(const DeviceProfile& device, std::string_view variant, const GemmProblem& problem);

/// What gemm() would run and why; compiles nothing.
/// Throws what GemmPlan's constructor throws for a problem or a choice that cannot be done.
TILEWRIGHT_API Explanation explain_gemm(const DeviceProfile& device, const GemmProblem& problem,
                                        const Choice& choice = {});

/// A problem with its variant, configuration and compiled kernels, ready to be enqueued as often as wanted.
/// Safe to use from many threads. Calls that need a workspace run one after another on the device, unless the caller
/// lends each its own.
class GemmPlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store.
  /// Throws Error(unsupported_type, unsupported_variant, unknown_variant, unknown_parameter, invalid_configuration,
  /// invalid_leading_dimension, invalid_offset, overlapping_operands, size_overflow, build_failed, out_of_memory).
  TILEWRIGHT_API GemmPlan(const Engine& engine, const GemmProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~GemmPlan();
  TILEWRIGHT_API GemmPlan(GemmPlan&&) noexcept;
  TILEWRIGHT_API GemmPlan& operator=(GemmPlan&&) noexcept;

  /// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued, unless GemmOperands::event is false; never blocks, never
  /// allocates device memory. The event's own profile is that of the last launch. With a workspace, a batch by offsets
  /// or several scalars there may be several launches; Event::times() gives the times of all of them.
  /// The first call may also save the compiled program, see Engine::save_programs().
  /// Everything is checked before anything is enqueued, A before B before C before scale, bias and residual: throws
  /// Error(null_object, foreign_object, failed_wait, invalid_batch, invalid_scalar, invalid_buffer, invalid_offset,
  /// buffer_too_small, overlapping_operands, unsuitable_packed_matrix, invalid_workspace, workspace_too_small,
  /// overlapping_workspace, device_lost, out_of_memory, opencl_failure), whose operand() is the one that is wrong.
  /// Where OpenCL fails after a part of the call was enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GemmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const GemmProblem& problem() const;
  TILEWRIGHT_API const std::string& variant() const;
  TILEWRIGHT_API const Configuration& configuration() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  friend class PackedMatrix;
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and a launch.
/// Throws what GemmPlan's constructor and GemmPlan::enqueue throw.
TILEWRIGHT_API Event gemm(const Engine& engine, cl_command_queue queue, const GemmProblem& problem,
                          const GemmOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
