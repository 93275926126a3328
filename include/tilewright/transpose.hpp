// Transposition: B = alpha op(A), out of place and in place.
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
#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// What a matrix that is moved consists of: numbers, which alpha may scale, or elements of so many bytes whose bits are
/// copied, such as integers and complex numbers.
class Element {
 public:
  /// Complex numbers are moved as elements of so many bytes.
  constexpr Element(DataType type)
      : bytes_(size_of(type)), number_(is_complex(type) ? std::nullopt : std::optional(type)) {}

  /// Elements of 1, 2, 4, 8 or 16 bytes, whatever they mean.
  static constexpr Element of_bytes(std::size_t bytes) { return Element(bytes, {}); }

  constexpr std::size_t bytes() const { return bytes_; }
  /// The type of numbers; empty where only bits are copied.
  constexpr std::optional<DataType> number() const { return number_; }

  friend constexpr bool operator==(const Element&, const Element&) = default;

 private:
  constexpr Element(std::size_t bytes, std::optional<DataType> number) : bytes_(bytes), number_(number) {}

  std::size_t bytes_;
  std::optional<DataType> number_;
};

/// "f32", "f64" or "16 bytes".
TILEWRIGHT_API std::string to_string(const Element& element);

/// One matrix to move, or a batch of them. A is m x n; B is op(A), which is n x m where it is transposed.
/// Sizes, leading dimensions, strides and offsets are in elements.
struct TransposeProblem {
  Element element = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::yes;  ///< no: B = alpha A
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  /// Elements from one row (row-major) or column (column-major) to the next; 0 means densely stored. In place, ldb = 0
  /// means lda where A and B have the same shape.
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  /// B takes A's place: it begins where A does, and what of A it does not cover stays as it is. A square matrix, and
  /// any one with trans = no, needs lda = ldb to be done without a workspace. A rectangular one that is densely stored
  /// on both sides is decomposed into permutations of its rows and columns (Catanzaro, Keller and Garland, 2014), with
  /// a workspace that is small beside it; one that is not goes through a workspace of its own size.
  bool in_place = false;
  /// A promise that the offsets of A and B are multiples of this many elements, so that kernels may move whole vectors.
  /// TransposePlan::enqueue refuses offsets that break it; transpose() lowers it by itself. A power of two.
  std::uint64_t offset_alignment = 16;
  Batch batch{};

  friend bool operator==(const TransposeProblem&, const TransposeProblem&) = default;
};

/// The matrices and the factor of one call. In place, b is left empty.
/// alpha = 1 copies bits, those of a NaN too. alpha = 0 writes zeros: A is not read and, out of place, may be null.
/// Except for f64, alpha is rounded to float; integers, and elements that are no numbers, take alpha = 1 alone.
struct TransposeOperands {
  MatrixRef a{};
  MatrixRef b{};
  Scalar alpha = 1;
  /// TransposePlan::workspace_bytes() for this call alone, until its event is complete; without a buffer the engine's
  /// own, which one call uses after another.
  WorkspaceRef workspace{};
  bool event = true;  ///< as GemmOperands::event
};

/// Every variant, from the simplest to the fastest, then those for matrices in place.
TILEWRIGHT_API std::vector<VariantInfo> transpose_variants();

/// Whether a variant can do a problem on a device. Throws Error(unknown_variant) and what a plan throws for a problem
/// that makes no sense.
TILEWRIGHT_API Support transpose_support(const DeviceProfile& device, std::string_view variant,
                                         const TransposeProblem& problem);

/// What transpose() would run and why; compiles nothing.
/// Throws what TransposePlan's constructor throws for a problem or a choice that cannot be done.
TILEWRIGHT_API Explanation explain_transpose(const DeviceProfile& device, const TransposeProblem& problem,
                                             const Choice& choice = {});

/// A problem with its variant, configuration and compiled kernels, ready to be enqueued as often as wanted.
/// Safe to use from many threads. Calls that need a workspace run one after another on the device, unless the caller
/// lends each its own.
class TransposePlan {
 public:
  /// Compiles what the problem needs, or finds it in the engine's program store.
  /// Throws Error(unsupported_type, unsupported_variant, unknown_variant, unknown_parameter, invalid_configuration,
  /// invalid_leading_dimension, invalid_offset, invalid_batch, overlapping_operands, size_overflow, build_failed,
  /// out_of_memory).
  TILEWRIGHT_API TransposePlan(const Engine& engine, const TransposeProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~TransposePlan();
  TILEWRIGHT_API TransposePlan(TransposePlan&&) noexcept;
  TILEWRIGHT_API TransposePlan& operator=(TransposePlan&&) noexcept;

  /// Enqueues the transposition after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued, unless TransposeOperands::event is false; never blocks, never
  /// allocates device memory. The event's own profile is that of the last launch; with a workspace there are several,
  /// whose times Event::times() gives. The first call may also save the compiled program, see Engine::save_programs().
  /// Everything is checked before anything is enqueued, A before B: throws Error(null_object, foreign_object,
  /// failed_wait, unsupported_type, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
  /// invalid_workspace, workspace_too_small, overlapping_workspace, device_lost, out_of_memory, opencl_failure), whose
  /// operand() is the one that is wrong. Where OpenCL fails after a part of the call was enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const TransposeOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const TransposeProblem& problem() const;
  TILEWRIGHT_API const std::string& variant() const;
  TILEWRIGHT_API const Configuration& configuration() const;
  /// Device memory that a call needs beside the operands: the engine's, or what the caller lends.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and a launch.
/// Throws what TransposePlan's constructor and TransposePlan::enqueue throw.
TILEWRIGHT_API Event transpose(const Engine& engine, cl_command_queue queue, const TransposeProblem& problem,
                               const TransposeOperands& operands, std::span<const cl_event> waits = {},
                               const Choice& choice = {});

}  // namespace tilewright
