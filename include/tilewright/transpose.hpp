// Transposes and copies of matrices: B = alpha op(A), out of place or in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

namespace tilewright {

/// The elements of a matrix that is moved: numbers of a DataType, or any elements of a given size.
///
/// A transposition never looks into elements that it does not scale. So, unlike every other operation, it accepts types
/// that the library does not know, such as 64-bit integers or pairs of floats. A DataType converts to Element.
class Element {
 public:
  /// Numbers of `type`. Complex numbers are moved like any elements of their size.
  constexpr Element(DataType type)
      : bytes_(size_of(type)), number_(is_complex(type) ? std::nullopt : std::optional(type)) {}

  /// Elements of 1, 2, 4, 8 or 16 bytes, whatever they mean. Only alpha = 1 is possible.
  [[nodiscard]] static constexpr Element of_bytes(std::size_t bytes) { return Element(bytes, {}); }

  /// Bytes of one element.
  [[nodiscard]] constexpr std::size_t bytes() const { return bytes_; }
  /// The type of the numbers; empty if elements are only copied.
  [[nodiscard]] constexpr std::optional<DataType> number() const { return number_; }

  friend constexpr bool operator==(const Element&, const Element&) = default;

 private:
  constexpr Element(std::size_t bytes, std::optional<DataType> number) : bytes_(bytes), number_(number) {}

  std::size_t bytes_;
  std::optional<DataType> number_;
};

/// Returns the name of the type, such as "f32", or the size, such as "16 bytes".
[[nodiscard]] TILEWRIGHT_API std::string to_string(const Element& element);

/// A matrix to transpose or copy, or a batch of such matrices.
///
/// Computes B = alpha op(A). A is m x n; B is n x m if it is transposed, otherwise m x n. All sizes, leading
/// dimensions, strides and offsets count elements.
struct TransposeProblem {
  Element type = DataType::f32;       ///< element type of A and B: a DataType, or Element::of_bytes()
  Layout layout = Layout::row_major;  ///< storage order of A and B
  Transpose trans = Transpose::yes;   ///< op(A) = A^T or A. There is no conjugate transpose
  std::uint64_t m = 0;                ///< rows of A
  std::uint64_t n = 0;                ///< columns of A
  std::uint64_t lda = 0;              ///< leading dimension of A; 0 means densely stored

  /// Leading dimension of B; 0 means densely stored. In place, 0 means lda if A and B have the same shape.
  std::uint64_t ldb = 0;

  /// Whether B replaces A: B starts at the first element of A, and elements of A outside B stay unchanged. Needs no
  /// workspace if lda = ldb and the matrix is square or `trans` is no. A densely stored rectangular matrix needs a
  /// small workspace, because it is transposed by permutations of rows and columns (Catanzaro, Keller and Garland, "A
  /// decomposition for in-place matrix transposition", 2014). Any other matrix needs a workspace of its own size.
  bool in_place = false;

  /// Promises that the offsets of A and B are multiples of this many elements, a power of two, so that kernels can move
  /// whole vectors. TransposePlan::enqueue throws Error(invalid_offset) for an offset that breaks the promise;
  /// transpose() lowers the promise automatically.
  std::uint64_t offset_alignment = 16;

  Batch batch{};  ///< number of matrices, and the distances between consecutive A and B

  friend bool operator==(const TransposeProblem&, const TransposeProblem&) = default;
};

/// The data of one call.
struct TransposeOperands {
  /// Real; rounded to float unless the type is f64. 1 copies bits, those of a NaN as well. 0 writes zeros: A is not
  /// read and, out of place, may be null. Integers, complex numbers and elements of_bytes() accept only 1.
  Scalar alpha = 1;
  MatrixRef a{};  ///< the matrix; in place, overwritten with B
  MatrixRef b{};  ///< overwritten with alpha op(A); in place, must be left empty

  /// Device memory for this call alone, at least TransposePlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us of device time per call on NVIDIA GPUs.
  bool event = true;
};

/// Lists all variants, from the simplest to the fastest, then those that work in place.
[[nodiscard]] TILEWRIGHT_API std::vector<VariantInfo> transpose_variants();

/// Reports whether a variant can compute a problem on a device. Throws Error(unknown_variant), and what TransposePlan's
/// constructor throws for an invalid problem.
[[nodiscard]] TILEWRIGHT_API Support transpose_support(const DeviceProfile& device, std::string_view variant,
                                                       const TransposeProblem& problem);

/// Explains which variant and configuration transpose() would run, and why. Compiles nothing. Throws what
/// TransposePlan's constructor throws for an invalid problem or choice.
[[nodiscard]] TILEWRIGHT_API Explanation explain_transpose(const DeviceProfile& device, const TransposeProblem& problem,
                                                           const Choice& choice = {});

/// A problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any thread.
/// Calls that need a workspace run one after another on the device, unless each has a workspace of its own.
///
/// Accuracy: alpha = 1 copies bits. Otherwise each element is alpha a, rounded once to f32 (f64 for f64), and f16 and
/// bf16 add one rounding when B is stored.
class TransposePlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` forces a variant or values of its parameters; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           an element is not 1, 2, 4, 8 or 16 bytes long, or trans is conjugate_transpose
  ///   invalid_leading_dimension  lda or ldb is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is no power of two
  ///   invalid_batch              a stride belongs to an operand that transpose does not have, or stride_b differs from
  ///                              stride_a in place
  ///   overlapping_operands       the strides make matrices that are written share elements
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` names no variant or parameter, or one that cannot compute this problem
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the workspace cannot be allocated
  TILEWRIGHT_API TransposePlan(const Engine& engine, const TransposeProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~TransposePlan();
  TILEWRIGHT_API TransposePlan(TransposePlan&&) noexcept;
  TILEWRIGHT_API TransposePlan& operator=(TransposePlan&&) noexcept;

  /// Enqueues the transposition after `waits` on `queue`, an in-order or out-of-order queue of the engine's context and
  /// device. Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// TransposeOperands::event is false. A call with a workspace consists of several launches; Event::times() covers all
  /// of them. The first call may also save the compiled program to disk, see Engine::save_programs().
  ///
  /// All arguments are checked before anything is enqueued, in the order alpha, A, B, workspace.
  /// Throws Error, whose operand() names the culprit, with
  ///   invalid_scalar                    alpha has an imaginary part
  ///   unsupported_type                  alpha is not 1 although elements of this type are only copied
  ///   null_object, foreign_object       a handle is null or belongs to another context or device
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                    an offset breaks the promise of offset_alignment
  ///   overlapping_operands              A and B share elements
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  /// If OpenCL fails after a part of the call was enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const TransposeOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  /// The problem as it was passed to the constructor.
  [[nodiscard]] TILEWRIGHT_API const TransposeProblem& problem() const;
  /// Which variant and configuration run, and why. `candidates` is empty; explain_transpose() lists them.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Bytes of device memory that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Plans and enqueues in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its
/// launches. Throws what TransposePlan's constructor and enqueue() throw.
TILEWRIGHT_API Event transpose(const Engine& engine, cl_command_queue queue, const TransposeProblem& problem,
                               const TransposeOperands& operands, std::span<const cl_event> waits = {},
                               const Choice& choice = {});

}  // namespace tilewright
