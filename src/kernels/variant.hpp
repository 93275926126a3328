// The description of a variant of an operation.
// The selector, the plan, the tuner, the tests and the command read these structs and know nothing else about a
// variant. `Problem` is the operation's normalized problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/fixed_list.hpp"
#include "kernels/launch.hpp"
#include "kernels/parameters.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The traits of an operation, specialised for its problem. Launches and rules need:
///   static constexpr std::string_view name;       the name of the operation and of its main kernel
///   static std::uint64_t batch(const Problem&);   the number of problems in a batch; 0: there is no batch
///   static double depth(const Problem&);          the work per element of the result, relative to other problems
/// selection/operation.hpp lists what selection needs.
template <class Problem>
struct Operation;

/// The type that the functions of a variant take. It is the problem, unless an operation specialises this with a type
/// that the problem converts to.
template <class Problem>
struct VariantInput {
  using Type = Problem;
};
template <class Problem>
using VariantProblem = typename VariantInput<Problem>::Type;

/// A rule that a configuration keeps, and its reason. The tuner checks a rule once the parameters it names have values.
/// Of the earlier rules, only those that read no other parameters are then sure to hold.
template <class Problem>
struct Constraint {
  const char* rule = "";
  const char* reason = "";
  FixedList<ParameterMember, 8> parameters{};  ///< the parameters that `holds` reads
  ParameterFunction<bool(const VariantProblem<Problem>&, const DeviceProfile&)> holds{};
};

template <class Problem>
using Constraints = FixedList<Constraint<Problem>, 8>;

/// Sizes of a problem at which a configuration's kernels take other code paths. They are the ends of tiles, blocks,
/// vectors and slices along each dimension, that of a work-group's tile first. Values up to 1 and repeated values are
/// allowed and ignored.
struct Edges {
  std::vector<std::int64_t> m, n, k{};
  std::int64_t sharers = 1;  ///< work-items that compute an element of the result together
};

/// The changes of a strategy to a default configuration.
using Strategy = FixedList<ParameterSetting, 3>;

/// The program of a variant: its source, and the -D options in addition to the parameters.
template <class Problem>
struct VariantProgram {
  const char* file;                           ///< below cl/
  FixedList<const char*, 12> shared_files{};  ///< included before the variant's file in the source; also below cl/
  /// Parameters that only the launch depends on. They are no -D options, so one program serves all their values.
  FixedList<ParameterMember, 5> launch_parameters{};
  ParameterFunction<std::string(const VariantProblem<Problem>&)> extra_defines{};  ///< returns further -D options
};

/// The problems and devices that a variant is for.
template <class Problem>
struct Needs {
  /// Types that elements may be stored as; any, if the kernel keeps `in_t` and `accum_t` apart.
  FixedList<DataType, 6> types = {DataType::f32,  DataType::f64, DataType::f16,
                                  DataType::bf16, DataType::i8,  DataType::u8};
  const char* why_no_other_type = nullptr;  ///< required if a type is missing
  /// Returns why the variant cannot do the problem on the device; empty if it can.
  std::string (*unsupported)(const VariantProblem<Problem>&, const DeviceProfile&) =
      [](const VariantProblem<Problem>&, const DeviceProfile&) { return std::string(); };
  std::optional<Ability> ability{};  ///< probed before the first program is compiled
};

/// The memory that a configuration's kernels take.
template <class Problem>
struct KernelMemory {
  ParameterFunction<std::uint64_t(const VariantProblem<Problem>&)> local_bytes{};
  /// Parameters that `local_bytes` reads, for variants with many configurations. The tuner then rejects excess local
  /// memory before it enumerates the other parameters. Empty: any parameter.
  FixedList<ParameterMember, 6> local_bytes_from{};
  /// Returns the private memory per work-item of the main kernel that may not be in registers: see
  /// kept_across_barriers().
  ParameterFunction<std::uint64_t(const VariantProblem<Problem>&, const DeviceProfile&)> private_bytes{};
  bool static_local_memory = false;  ///< may use up to DeviceProfile::static_local_memory_bytes
};

/// A complex product, as a configuration sees it, and what its kernels multiply by an alpha with an imaginary part.
enum class ComplexForm {
  prepared,  ///< a real product of prepared operands, of which B is multiplied by alpha
  elements,  ///< the operands as they are stored; k counts their elements; B is multiplied by alpha
  reals,     ///< the operands as they are stored; k counts reals; the sums are multiplied by alpha
};

/// A variant: its kernel file, its parameters and how it is launched. Functions of the parameters take the variant's
/// own struct. A function that is not set returns nothing: 0, or an empty list or text.
template <class Problem>
struct Variant {
  const char* name;
  const char* summary;
  VariantProgram<Problem> program;
  ParameterList parameters;
  Constraints<Problem> constraints{};
  /// Returns configurations for untuned use, best first. The first one that keeps the constraints is used.
  std::vector<ParameterValues> (*preferences)(const VariantProblem<Problem>&, const DeviceProfile&);
  FixedList<Strategy, 2> strategies{};  ///< strategies apart from the default, which tests and tuners try
  ParameterFunction<Edges()> edges;     ///< sizes that tests use: each edge, and one before and after it
  /// Whether a configuration can leave out the parts of the result, or the steps, that a problem does not need. Asked
  /// only about problems that have such parts or steps.
  ParameterFunction<bool(const VariantProblem<Problem>&)> computes_part{};
  /// How a configuration sees a complex product.
  ParameterFunction<ComplexForm()> complex_form{};
  Needs<Problem> needs{};
  KernelMemory<Problem> memory{};
  /// Returns the launches of one problem, of which one launches the main kernel. It has the operation's name.
  ParameterFunction<Execution(const VariantProblem<Problem>&, const DeviceProfile&)> execution;
  /// Parameters that `execution` reads, used for the limits of work-groups. Empty: any parameter.
  FixedList<ParameterMember, 8> execution_from{};
};

/// Returns a configuration's values. Throws Error(unknown_parameter) if the configuration is not complete.
template <class Problem>
ParameterValues values_of(const Variant<Problem>& variant, const Configuration& configuration) {
  return values_of(variant.parameters, configuration);
}

template <class Problem>
Configuration configuration_of(const Variant<Problem>& variant, const ParameterValues& values) {
  return configuration_of(variant.parameters, values);
}

/// Returns a variant's execution with the dimensions of a batch and the device's limits.
template <class Problem>
Execution complete_execution(const Variant<Problem>& variant, const ParameterValues& values,
                             const VariantProblem<Problem>& problem, const DeviceProfile& device) {
  Execution execution = variant.execution(values, problem, device);
  execution.launches =
      in_grids(std::move(execution.launches), Operation<Problem>::batch(problem), device.max_work_groups);
  return execution;
}

/// The work of a configuration on a problem.
struct GroupWork {
  double groups;     ///< work-groups
  double per_group;  ///< relative; comparable between problems of one configuration
};

template <class Problem>
GroupWork group_work(const Variant<Problem>& variant, const ParameterValues& values,
                     const VariantProblem<Problem>& problem, const DeviceProfile& device) {
  for (const Launch& launch : complete_execution(variant, values, problem, device).launches)
    if (launch.kernel == Operation<Problem>::name)
      return {groups_of(launch),
              launch.work_per_group > 0 ? launch.work_per_group : Operation<Problem>::depth(problem)};
  return {};
}

/// Returns the private memory per work-item of a kernel with `items` work-items per group, `arrays` bytes of private
/// arrays, and barriers around `steps` unrolled steps. A CPU runs the items of a group one after another between
/// barriers. Its compiler therefore keeps every value computed before a barrier for every item, several times the
/// arrays. A GPU keeps the arrays alone.
std::uint64_t kept_across_barriers(const DeviceProfile& device, std::int64_t items, std::uint64_t arrays,
                                   std::int64_t steps);

}  // namespace tilewright::detail
