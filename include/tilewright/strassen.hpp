// General matrix products by Strassen's method: C = alpha op(A) op(B) + beta C, faster than gemm() for large sizes but
// with a weaker error bound.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/export.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/plan_pointer.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// The maximum of StrassenProblem::levels. Each level multiplies the number of small products by seven.
inline constexpr unsigned max_strassen_levels = 4;

/// A product to compute by Strassen's method.
///
/// Computes C = alpha op(A) op(B) + beta C. Each level replaces eight products of half the size by seven products and
/// 15 sums of quarters (V. Strassen, "Gaussian elimination is not optimal", 1969, in the form of S. Winograd).
struct StrassenProblem {
  /// The product: f32 or f64 with C of the same type, Accuracy::full, no epilogue and a batch of one product. A product
  /// that gains from the method fills the device alone, so a batch is computed by as many calls.
  GemmProblem product{};

  /// How often the sizes are halved, at most max_strassen_levels; 0 is the plain product. Unset: as many levels as the
  /// model of explain_strassen() expects to pay.
  std::optional<unsigned> levels{};

  /// If `levels` is unset: the maximum bytes of workspace for sums and products of quarters.
  std::uint64_t max_workspace_bytes = std::numeric_limits<std::uint64_t>::max();

  friend bool operator==(const StrassenProblem&, const StrassenProblem&) = default;
};

/// The data of one call.
struct StrassenOperands {
  Scalar alpha = 1;  ///< real; rounded to `type`. 0: A and B are not read and may be null
  MatrixRef a{};     ///< not read if k = 0; may then be null
  MatrixRef b{};     ///< not read if k = 0; may then be null
  Scalar beta = 0;   ///< real; rounded to `type`. 0: the values of C do not matter
  MatrixRef c{};     ///< overwritten with the result

  /// Device memory for this call alone, at least StrassenPlan::workspace_bytes() long, in use until the call's event
  /// completes. If empty, the engine's shared workspace is used, and calls that share it run one after another.
  WorkspaceRef workspace{};

  /// If false, the call may return an empty Event. Saves about 2 us of device time per call on NVIDIA GPUs.
  bool event = true;
};

/// Returns the factor f of the error bound |C' - C| <= f u |A| |B|, to first order in u. |X| is the magnitude of the
/// largest element of X. f is 18^levels (k0^2 + 6 k0) - 6 k, where k0 is k halved `levels` times, and k^2 for level 0.
/// Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorem 23.3.
[[nodiscard]] TILEWRIGHT_API double strassen_error_factor(std::uint64_t k, unsigned levels);

/// The expected cost of a number of levels.
struct StrassenLevel {
  unsigned levels = 0;                ///< how often the sizes are halved
  double seconds = 0;                 ///< expected time of a call; 0: unknown
  std::uint64_t workspace_bytes = 0;  ///< for sums and products of quarters, without the workspace of small products
  double error_factor = 0;            ///< strassen_error_factor()
  std::string why_not{};              ///< why these levels are impossible; empty if they are possible
};

/// Returns the expected cost of 0, 1, ... max_strassen_levels levels. Compiles nothing. Throws what explain_strassen()
/// throws.
[[nodiscard]] TILEWRIGHT_API std::vector<StrassenLevel> strassen_levels(const DeviceProfile& device,
                                                                        const StrassenProblem& problem,
                                                                        const Choice& choice = {});

/// Explains how many levels a plan would have, and why. Compiles nothing. The configuration of the Explanation and of
/// its candidates is {levels}, and `parts` are the small products. A level pays if eight products take longer than
/// seven products and the sums: the times of products are those of GemmTimes, and sums are limited by the device's
/// memory. Throws what StrassenPlan's constructor throws for an invalid problem or choice.
[[nodiscard]] TILEWRIGHT_API Explanation explain_strassen(const DeviceProfile& device, const StrassenProblem& problem,
                                                          const Choice& choice = {});

/// A problem with its small products and sums compiled and prepared. Enqueue it as often as you like, from any thread.
/// Calls run one after another on the device, unless each has a workspace of its own.
///
/// Accuracy: bounded by norms, not element by element. To first order in u, the roundoff of the type, and with |X| the
/// magnitude of the largest element of X,
///   |C' - C| <= strassen_error_factor(k, levels) u |alpha| |A| |B| + (levels + 3) u |beta| |C|.
/// So an element of C that is much smaller than others may have no correct digit; gemm() has an element-wise bound.
/// Infinity and NaN reach every element of C that they reach in a plain product, and may reach others. Sums of elements
/// may overflow where a plain product does not. Source: Higham, "Accuracy and Stability of Numerical Algorithms",
/// 2nd ed., section 23.2.
class StrassenPlan {
 public:
  /// Compiles the kernels, or loads them from the engine's cache: 0.1 to 1 s cold, milliseconds warm.
  /// `choice` forces the variant of the small products, or values of its parameters.
  ///
  /// Throws Error with
  ///   unsupported_type           the type is neither f32 nor f64, C has another type, or the accuracy is not full
  ///   unsupported_variant        the product has an epilogue
  ///   invalid_batch              the product has a batch
  ///   invalid_configuration      `levels` is above max_strassen_levels, or halves a size to less than 1
  ///   invalid_leading_dimension  lda, ldb or ldc is smaller than a row (or column) of its matrix
  ///   invalid_offset             offset_alignment is no power of two
  ///   size_overflow              a size in bytes does not fit into 64 bits
  ///   unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration
  ///                              `choice` names no variant or parameter, or one that cannot compute the products
  ///   build_failed               the driver rejected a kernel; the message holds the end of its log
  ///   out_of_memory              the workspace exceeds what the device allocates, or cannot be allocated
  TILEWRIGHT_API StrassenPlan(const Engine& engine, const StrassenProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~StrassenPlan();
  TILEWRIGHT_API StrassenPlan(StrassenPlan&&) noexcept;
  TILEWRIGHT_API StrassenPlan& operator=(StrassenPlan&&) noexcept;

  /// Enqueues the product after `waits` on `queue`, an in-order or out-of-order queue of the engine's context and
  /// device. Never blocks and never allocates device memory. Returns an event that covers all work of the call, unless
  /// StrassenOperands::event is false. A call consists of several launches; Event::times() covers all of them.
  ///
  /// All arguments are checked before anything is enqueued, in the order A, B, C, workspace.
  /// Throws Error, whose operand() names the culprit, with
  ///   null_object, foreign_object       a handle is null or belongs to another context or device
  ///   invalid_buffer, buffer_too_small  a buffer cannot be read or written as needed, or is too short. C is always
  ///                                     read if there are levels
  ///   invalid_offset                    an offset breaks the promise of offset_alignment
  ///   invalid_scalar                    alpha or beta has an imaginary part
  ///   overlapping_operands              C shares elements with A or B
  ///   invalid_workspace, workspace_too_small, overlapping_workspace
  ///   failed_wait                       an event in `waits` has already failed
  ///   device_lost, out_of_memory, opencl_failure
  /// If OpenCL fails after a part of the call was enqueued, the message says so.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const StrassenOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  /// The problem as it was passed to the constructor.
  [[nodiscard]] TILEWRIGHT_API const StrassenProblem& problem() const;
  /// The number of levels, why there are so many, and the small products as `parts`. `candidates` is empty;
  /// explain_strassen() lists them.
  [[nodiscard]] TILEWRIGHT_API const Explanation& explanation() const;
  /// How often the sizes are halved.
  [[nodiscard]] TILEWRIGHT_API unsigned levels() const;
  /// Number of small products per call: 7^levels.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t products() const;
  /// Bytes of device memory that a call needs besides its operands: less than three times the largest of A, B and C,
  /// plus the workspace of one small product.
  [[nodiscard]] TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  detail::PlanPointer<std::unique_ptr<State>> state_;
};

/// Plans and enqueues in one call. The engine keeps recent plans, so a repeated problem costs a look-up and its
/// launches. Throws what StrassenPlan's constructor and enqueue() throw.
TILEWRIGHT_API Event strassen(const Engine& engine, cl_command_queue queue, const StrassenProblem& problem,
                              const StrassenOperands& operands, std::span<const cl_event> waits = {},
                              const Choice& choice = {});

}  // namespace tilewright
