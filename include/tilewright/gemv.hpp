// Matrix times vector, y = alpha op(A) x + beta y, and the outer product of two vectors, A = alpha x y^T + A.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "tilewright/batch.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/plan_pointer.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// A product of a matrix and a vector, y = alpha op(A) x + beta y, or a batch of such products.
///
/// A is m x n, as in BLAS. Without a transpose x has n elements and y has m; with a transpose x has m and y has n. All
/// sizes, increments, leading dimensions, strides and offsets count elements.
///
/// With a negative increment a vector is stored backwards, as in BLAS: element i of x is (length - 1 - i) * |incx|
/// elements after the offset of x. Such a vector is copied to the workspace before the product, and y also back.
struct GemvProblem {
  DataType type = DataType::f32;  ///< element type of A and x: any that gemm() multiplies
  std::optional<DataType>
      type_y{};  ///< element type of y: `type` or accumulator_of(type); unset: i32 for i8 and u8, otherwise `type`
  Layout layout = Layout::row_major;  ///< storage order of A
  Transpose trans = Transpose::no;    ///< op(A) = A, A^T or A^H
  std::uint64_t m = 0;                ///< rows of A
  std::uint64_t n = 0;                ///< columns of A
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  std::int64_t incx = 1;              ///< elements from one element of x to the next; not 0
  std::int64_t incy = 1;              ///< elements from one element of y to the next; not 0
  /// A promise that the offsets of A, x and y are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. GemvPlan::enqueue() rejects offsets that break it; gemv() lowers it automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of products, and the distances between consecutive A, x and y; 0 shares A or x

  friend bool operator==(const GemvProblem&, const GemvProblem&) = default;
};

/// The data of one call. Scalars are rounded to accumulator_of(type).
struct GemvOperands {
  Scalar alpha = 1;  ///< 0: A and x are not read and may be null
  MatrixRef a{};     ///< the matrix; not read if x has no elements
  MatrixRef x{};     ///< the vector that A multiplies
  Scalar beta = 0;   ///< 0: y is not read
  MatrixRef y{};     ///< the result; shares no elements with A or x

  /// Device memory for this call alone, at least GemvPlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// Whether a variant of gemm() can compute a product of a matrix and a vector on a device.
/// Throws Error with unknown_variant, or with what GemvPlan's constructor throws for an invalid problem.
[[nodiscard]] TILEWRIGHT_API Support gemv_support(const DeviceProfile& device, std::string_view variant,
                                                  const GemvProblem& problem);

/// Returns which kernels gemv() would run, and why. Compiles nothing. gemv() is computed as a gemm() with one column,
/// which is the only part of the explanation.
/// Throws what GemvPlan's constructor throws for an invalid problem or choice.
[[nodiscard]] TILEWRIGHT_API Explanation explain_gemv(const DeviceProfile& device, const GemvProblem& problem,
                                                      const Choice& choice = {});

/// A problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any thread.
///
/// gemv is computed as a gemm() with one column, and shares gemm's variants, records and tuning.
/// Accuracy: |y' - y| <= gamma(k + 2) |alpha||op(A)||x| + gamma(2) |beta||y| element by element, where k is the length
/// of x. Sums of i8 and u8 are exact modulo 2^32.
class GemvPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the variant of gemm(); by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           the device lacks `type`, or gemm() has no products of it
  ///   unknown_variant, unknown_parameter, invalid_configuration, unsupported_variant
  ///                              `choice` is invalid, or cannot compute this problem on this device
  ///   invalid_increment          incx or incy is 0
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_offset             offset_alignment is no power of two
  ///   invalid_batch              a stride belongs to an operand that gemv does not have
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make vectors y share elements
  ///   out_of_memory              the device cannot allocate the workspace
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  TILEWRIGHT_API GemvPlan(const Engine& engine, const GemvProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~GemvPlan();
  TILEWRIGHT_API GemvPlan(GemvPlan&&) noexcept;
  TILEWRIGHT_API GemvPlan& operator=(GemvPlan&&) noexcept;

  /// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// `operands.event` is false. The event's own profile is that of the last launch; Event::times() reports all
  /// launches.
  ///
  /// All arguments are checked, A before x before y before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context
  ///   invalid_scalar                    alpha or beta does not suit the type
  ///   invalid_offset                    an offset breaks the promise of offset_alignment
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   overlapping_operands              y shares elements with A or x
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GemvOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GemvProblem& problem() const;
  /// The product that this plan consists of, with its kernels and why they were chosen.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Device memory that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes y = alpha op(A) x + beta y. Plans and enqueues in one call; the engine keeps recent plans, so a repeated
/// problem costs a look-up and its launches. Throws what GemvPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event gemv(const Engine& engine, cl_command_queue queue, const GemvProblem& problem,
                          const GemvOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

/// An outer product that is added to a matrix, A = alpha x y^T + A or A = alpha x y^H + A, or a batch of them.
///
/// A is m x n, x has m elements and y has n. All sizes, increments, leading dimensions, strides and offsets count
/// elements. With a negative increment a vector is stored backwards, as in BLAS: element i of x is (m - 1 - i) * |incx|
/// elements after the offset of x. Such a vector is copied to the workspace before the product.
struct GerProblem {
  DataType type = DataType::f32;      ///< element type of A, x and y: f16, bf16, f32, f64, c64 or c128
  Layout layout = Layout::row_major;  ///< storage order of A
  bool conj_y = false;                ///< true: x y^H (BLAS's gerc); false: x y^T (BLAS's ger and geru)
  std::uint64_t m = 0;                ///< rows of A
  std::uint64_t n = 0;                ///< columns of A
  std::int64_t incx = 1;              ///< elements from one element of x to the next; not 0
  std::int64_t incy = 1;              ///< elements from one element of y to the next; not 0
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored
  /// A promise that the offsets of A, x and y are multiples of this many elements, so that kernels may load whole
  /// vectors. A power of two. GerPlan::enqueue() rejects offsets that break it; ger() lowers it automatically.
  std::uint64_t offset_alignment = 16;
  Batch batch{};  ///< number of products, and the distances between consecutive x, y and A; 0 shares x or y

  friend bool operator==(const GerProblem&, const GerProblem&) = default;
};

/// The data of one call. The scalar is rounded to accumulator_of(type).
struct GerOperands {
  Scalar alpha = 1;  ///< 0: A stays as it is, and x and y are not read and may be null
  MatrixRef x{};     ///< the column vector
  MatrixRef y{};     ///< the vector that becomes a row
  MatrixRef a{};     ///< the matrix that the product is added to; shares no elements with x or y

  /// Device memory for this call alone, at least GerPlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us per call on NVIDIA GPUs.
  bool event = true;
};

/// Whether a variant of gemm() can compute an outer product on a device.
/// Throws Error with unknown_variant, or with what GerPlan's constructor throws for an invalid problem.
[[nodiscard]] TILEWRIGHT_API Support ger_support(const DeviceProfile& device, std::string_view variant,
                                                 const GerProblem& problem);

/// Returns which kernels ger() would run, and why. Compiles nothing. ger() is computed as a gemm() with k = 1, which is
/// the only part of the explanation. Throws what GerPlan's constructor throws for an invalid problem or choice.
[[nodiscard]] TILEWRIGHT_API Explanation explain_ger(const DeviceProfile& device, const GerProblem& problem,
                                                     const Choice& choice = {});

/// A problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any thread.
///
/// ger is computed as a gemm() with k = 1 and beta = 1, and shares gemm's variants, records and tuning.
/// Accuracy: |A' - A| <= gamma(3) |alpha||x||y|^T + gamma(2) |A| element by element.
class GerPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` selects the variant of gemm(); by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           the device lacks `type`, or it is an integer type
  ///   unknown_variant, unknown_parameter, invalid_configuration, unsupported_variant
  ///                              `choice` is invalid, or cannot compute this problem on this device
  ///   invalid_increment          incx or incy is 0
  ///   invalid_leading_dimension  lda is smaller than a row (or column) of A
  ///   invalid_offset             offset_alignment is no power of two
  ///   invalid_batch              a stride belongs to an operand that ger does not have
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   overlapping_operands       the batch strides make matrices A share elements
  ///   out_of_memory              the device cannot allocate the workspace
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  TILEWRIGHT_API GerPlan(const Engine& engine, const GerProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~GerPlan();
  TILEWRIGHT_API GerPlan(GerPlan&&) noexcept;
  TILEWRIGHT_API GerPlan& operator=(GerPlan&&) noexcept;

  /// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// `operands.event` is false. The event's own profile is that of the last launch; Event::times() reports all
  /// launches.
  ///
  /// All arguments are checked, x before y before A before the workspace, before anything is enqueued.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context
  ///   invalid_scalar                    alpha has an imaginary part although the type is real
  ///   invalid_offset                    an offset breaks the promise of offset_alignment
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   overlapping_operands              A shares elements with x or y
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GerOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  [[nodiscard]] TILEWRIGHT_API const GerProblem& problem() const;
  /// The product that this plan consists of, with its kernels and why they were chosen.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Device memory that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Computes A = alpha x y^T + A, or A = alpha x y^H + A if GerProblem::conj_y is set. Plans and enqueues in one call;
/// the engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what GerPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event ger(const Engine& engine, cl_command_queue queue, const GerProblem& problem,
                         const GerOperands& operands, std::span<const cl_event> waits = {}, const Choice& choice = {});

}  // namespace tilewright
