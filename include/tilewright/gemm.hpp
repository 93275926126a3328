// General matrix products: C = alpha op(A) op(B) + beta C.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_choice.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/plan_pointer.hpp"

namespace tilewright {

namespace detail {
class PartialProduct;
}

/// A problem with its kernels compiled and its launches prepared. Enqueue it as often as you like, from any thread.
/// Calls that need a workspace run one after another on the device, unless each has a workspace of its own.
///
/// Accuracy: element by element, |C' - C| <= gamma(k + 2) |alpha| |A| |B| + gamma(2) |beta| |C|, where gamma(n) =
/// n u / (1 - n u) and u is the roundoff of accumulator_of(type): 2^-24 for f32, 2^-53 for f64. f16 and bf16 add one
/// rounding when C is stored. i8 and u8 without an epilogue are exact modulo 2^32. For complex types the bound holds
/// for each part with 2 k instead of k, and a complex alpha or beta adds up to four roundings. Accuracy::fp32_split and
/// Accuracy::tf32 have bounds of their own. The same plan gives the same bits every time. Source: Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed., section 3.5.
///
/// A complex product is computed as a real one: op(A) is read as m x 2k real numbers. Each call makes a 2k x 2n matrix
/// of alpha op(B) in the workspace, unless the variant reads complex numbers as they are stored.
class GemmPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` forces a variant or values of its parameters; by default the library chooses.
  ///
  /// Throws Error with
  ///   unsupported_type           the device or the operation lacks a type, or the combination of types and epilogue
  ///   invalid_leading_dimension  lda, ldb, ldc or ldr is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is no power of two
  ///   invalid_batch              a stride belongs to an operand that gemm does not have
  ///   overlapping_operands       stride_c makes matrices C share elements
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` names no variant or parameter, or one that cannot compute this problem
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the workspace cannot be allocated
  TILEWRIGHT_API GemmPlan(const Engine& engine, const GemmProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~GemmPlan();
  TILEWRIGHT_API GemmPlan(GemmPlan&&) noexcept;
  TILEWRIGHT_API GemmPlan& operator=(GemmPlan&&) noexcept;

  /// Enqueues the product after `waits` on `queue`, an in-order or out-of-order queue of the engine's context and
  /// device. Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// GemmOperands::event is false. A call that packs operands, has a batch by offsets or several scalars consists of
  /// several launches; Event::times() covers all of them. The first call may also save the compiled program to disk,
  /// see Engine::save_programs().
  ///
  /// All arguments are checked before anything is enqueued, in the order A, B, C, scale, bias, residual, workspace.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context or device
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short
  ///   invalid_offset                    an offset breaks the promise of offset_alignment
  ///   invalid_batch                     `offsets` or `scalars` do not have batch.count entries
  ///   invalid_scalar                    alpha or beta is not of the problem's kind of number
  ///   overlapping_operands              C shares elements with another operand
  ///   unsuitable_packed_matrix          packed_a or packed_b does not fit this plan
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits`, or the packing of a PackedMatrix, has already failed
  ///   device_lost, out_of_memory, opencl_failure
  /// If OpenCL fails after a part of the call was enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const GemmOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  /// The problem as it was passed to the constructor.
  [[nodiscard]] TILEWRIGHT_API const GemmProblem& problem() const;
  /// Which variant and configuration run, and why. `candidates` is empty; explain_gemm() lists them.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// Bytes of device memory that a call needs besides its operands.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  friend class PackedMatrix;
  friend class detail::PartialProduct;
  class State;
  explicit GemmPlan(std::unique_ptr<State> state);
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Plans and enqueues in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its
/// launches. Sets batch.by_offsets if the operands have offsets. Throws what GemmPlan's constructor and enqueue()
/// throw.
TILEWRIGHT_API Event gemm(const Engine& engine, cl_command_queue queue, const GemmProblem& problem,
                          const GemmOperands& operands, std::span<const cl_event> waits = {},
                          const Choice& choice = {});

}  // namespace tilewright
