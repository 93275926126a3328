// General matrix product by Strassen's method in Winograd's form: seven products of half the size in the place of
// eight. Opt-in, as its error bound is weaker than gemm()'s.
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
#include "tilewright/gemm.hpp"
#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright {

/// Levels at most: of each more there are seven times as many products.
inline constexpr unsigned max_strassen_levels = 4;

/// One product to do, C = alpha op(A) op(B) + beta C. Of V. Strassen, "Gaussian elimination is not optimal" (1969), in
/// the form of S. Winograd with 15 sums of quarters a level.
///
/// The error is bounded by norms, not element by element: with |X| the largest |element| of X,
///   |C' - C| <= strassen_error_factor(k, levels) u |alpha| |A| |B| + (levels + 3) u |beta| |C|  to the first order in
///   u.
/// So an element of C that is much smaller than others may be wrong in all digits, which gemm()'s never is.
/// Infinity and NaN make every element of C infinite or NaN that they reach in a plain product, and may reach others.
/// Sums of elements may overflow where a plain product does not.
struct StrassenProblem {
  /// f32 or f64 with C of the same type, full accuracy, without an epilogue and a batch: a product that is worth it
  /// fills the device by itself, so a batch is as many calls.
  GemmProblem product{};
  /// How often the sizes are halved, at most max_strassen_levels; 0 is the plain product. Unset: as often as pays by
  /// explain_strassen()'s model.
  std::optional<unsigned> levels{};
  /// Where levels are not forced: none that takes more for sums and products of quarters.
  std::uint64_t max_workspace_bytes = std::numeric_limits<std::uint64_t>::max();

  friend bool operator==(const StrassenProblem&, const StrassenProblem&) = default;
};

/// The matrices and scalars of one call, as GemmOperands. beta = 0: C is not read. alpha = 0 or k = 0: A and B are not
/// read and may be null.
struct StrassenOperands {
  Scalar alpha = 1;
  MatrixRef a{};
  MatrixRef b{};
  Scalar beta = 0;
  MatrixRef c{};
  /// StrassenPlan::workspace_bytes() for this call alone, until its event is complete; without a buffer the engine's
  /// own, which one call uses after another.
  WorkspaceRef workspace{};
};

/// The factor f of |C' - C| <= f u |A| |B|: 18^levels (k0^2 + 6 k0) - 6 k, where k0 is k halved so often, and k^2 at
/// level 0. N. Higham, "Accuracy and Stability of Numerical Algorithms" (2002), chapter 23, theorem 23.3.
TILEWRIGHT_API double strassen_error_factor(std::uint64_t k, unsigned levels);

/// What is expected of a number of levels.
struct StrassenLevel {
  unsigned levels = 0;
  double seconds = 0;                 ///< 0: unknown
  std::uint64_t workspace_bytes = 0;  ///< for sums and products of quarters, beside what the small products need
  double error_factor = 0;
  std::string why_not{};  ///< empty where it can be done
};

struct StrassenExplanation {
  unsigned levels = 0;  ///< what would be done
  std::string reason{};
  std::vector<StrassenLevel> candidates{};  ///< from the plain product on
};

/// How many levels a plan would have and why; compiles nothing. A level pays where eight products that gemm() is
/// expected to do take longer than seven and the sums, whose bytes are set against the device's memory.
/// Throws what StrassenPlan's constructor throws for a problem or a choice that cannot be done.
TILEWRIGHT_API StrassenExplanation explain_strassen(const DeviceProfile& device, const StrassenProblem& problem,
                                                    const Choice& choice = {});

/// A problem with its small products and compiled kernels, ready to be enqueued as often as wanted. Safe to use from
/// many threads. Calls run one after another on the device, unless the caller lends each a workspace.
class StrassenPlan {
 public:
  /// `choice` is that of the small products.
  /// Throws Error(unsupported_type, invalid_batch, invalid_configuration where so many levels cannot be,
  /// invalid_leading_dimension, invalid_offset, size_overflow, out_of_memory), and what GemmPlan's constructor throws.
  TILEWRIGHT_API StrassenPlan(const Engine& engine, const StrassenProblem& problem, const Choice& choice = {});
  TILEWRIGHT_API ~StrassenPlan();
  TILEWRIGHT_API StrassenPlan(StrassenPlan&&) noexcept;
  TILEWRIGHT_API StrassenPlan& operator=(StrassenPlan&&) noexcept;

  /// Enqueues the product after `waits` on a queue of the engine's context and device, in-order or out-of-order.
  /// Returns an event that covers everything enqueued; never blocks, never allocates device memory. With levels, the
  /// event's own profile is that of the last product or sum; Event::times() gives the times of all launches.
  /// Everything is checked before anything is enqueued, A before B before C: throws Error(null_object, foreign_object,
  /// failed_wait, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands, invalid_workspace,
  /// workspace_too_small, overlapping_workspace, device_lost, out_of_memory, opencl_failure), whose operand() is the
  /// one that is wrong.
  TILEWRIGHT_API Event enqueue(cl_command_queue queue, const StrassenOperands& operands,
                               std::span<const cl_event> waits = {}) const;

  TILEWRIGHT_API const StrassenProblem& problem() const;
  TILEWRIGHT_API unsigned levels() const;
  /// Products of small matrices that a call does: 7^levels.
  TILEWRIGHT_API std::uint64_t products() const;
  /// Device memory that a call needs beside the operands: below 3 times that of the largest of A, B and C, and what
  /// one of the small products needs.
  TILEWRIGHT_API std::uint64_t workspace_bytes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Plan and launch in one call; the engine keeps recent plans, so a repeated problem costs a look-up and its launches.
/// Throws what StrassenPlan's constructor and StrassenPlan::enqueue throw.
TILEWRIGHT_API Event strassen(const Engine& engine, cl_command_queue queue, const StrassenProblem& problem,
                              const StrassenOperands& operands, std::span<const cl_event> waits = {},
                              const Choice& choice = {});

}  // namespace tilewright
