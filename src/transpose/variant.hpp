// Types and functions that all variants of transpose share.
#pragma once

#include <span>

#include "kernels/variant.hpp"
#include "selection/operation.hpp"
#include "transpose/problem.hpp"
#include "transpose/slots.hpp"

namespace tilewright::detail {

// Every function of a variant takes a normalized problem.
using TransposeVariant = Variant<TransposeProblem>;

template <>
struct Operation<TransposeProblem> {
  static constexpr std::string_view name = "transpose";
  static std::uint64_t batch(const TransposeProblem& problem) { return is_batched(problem) ? problem.batch.count : 0; }
  static double depth(const TransposeProblem&) { return 1; }

  // See selection/operation.hpp.
  static std::span<const TransposeVariant* const> variants();
  static TransposeProblem normalized(const TransposeProblem& problem) { return detail::normalized(problem); }
  /// Every device can copy every element. Whether it can scale elements is checked per call.
  static std::string unsupported_type(const TransposeProblem&, const DeviceProfile&) { return {}; }
  static UntunedChoice<TransposeProblem> untuned(const TransposeProblem& problem, const DeviceProfile& device);
  static bool is_trivial(const TransposeProblem& problem) { return is_empty(problem); }
  static double work(const TransposeProblem& problem);  ///< bytes that are read and written
  static bool same_kind(const TransposeProblem& left, const TransposeProblem& right);
  static double distance(const TransposeProblem& left, const TransposeProblem& right);
  static std::string label(const TransposeProblem& problem);  ///< "64 x 64 in place"
};

/// Explanation::problem: "transpose f32 64x48 in place".
std::string problem_text(const TransposeProblem& problem);

/// The arguments that every kernel "transpose" takes, in their order.
std::vector<KernelArgument> transpose_arguments(const TransposeProblem& problem);

/// Appends alpha, if elements are numbers, and the strides of the batch to other arguments.
std::vector<KernelArgument> with_common_arguments(std::vector<KernelArgument> arguments,
                                                  const TransposeProblem& problem);

/// The execution of a kernel with one work-group of `wg` work-items per tile of A.
Execution over_tiles(const TransposeProblem& problem, std::int64_t tile_m, std::int64_t tile_n, std::int64_t wg);

/// Bytes of `elements` elements.
std::uint64_t bytes_of_elements(const TransposeProblem& problem, std::int64_t elements);

/// Empty if the problem is a transposition out of place; otherwise why a variant that is limited to that declines.
std::string only_out_of_place(const TransposeProblem& problem, const DeviceProfile& device);

/// -D options that say whether `vector` consecutive elements are an aligned vector, see cl/transpose/lines.cl.
std::string line_defines(const TransposeProblem& problem, std::int64_t vector);

}  // namespace tilewright::detail
