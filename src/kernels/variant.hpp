// What a variant of an operation says of itself. The selector, the plan, the tuner, the tests and the command read
// these structs and know nothing else of any variant. `Problem` is the operation's normalized problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// What an operation says of itself, specialised for its problem; for what launches and rules need:
///   static constexpr std::string_view name;       what it is called; its main kernel, too
///   static std::uint64_t batch(const Problem&);   the problems of a batch; 0: there is no batch
///   static double depth(const Problem&);          the work of an element of the result, relative to other problems
/// for what selection needs: see selection/operation.hpp.
template <class Problem>
struct Operation;

/// A rule that a configuration keeps, and why. The tuner asks as soon as the parameters that it names have values; of
/// the rules before it, only those that look at no others are sure to be kept then.
template <class Problem>
struct Constraint {
  const char* rule;
  const char* reason;
  std::vector<std::string_view> parameters;  ///< those that `holds` looks at
  bool (*holds)(const Configuration&, const Problem&, const DeviceProfile&);
};

/// Sizes of a problem at which a configuration's kernels take other ways: the ends of tiles, blocks, vectors and slices
/// along each dimension, that of a work-group's tile first. Values up to 1 and repeated ones are allowed, and count for
/// nothing.
struct Edges {
  std::vector<std::int64_t> m, n, k{};
  std::int64_t sharers = 1;  ///< work-items that compute an element of the result together
};

/// A variant: its kernel file, its parameters and how it is launched.
template <class Problem>
struct Variant {
  const char* name;
  const char* summary;
  const char* file;                         ///< below cl/
  std::vector<const char*> shared_files{};  ///< what comes before it in the source, below cl/ too
  std::vector<Parameter> parameters;
  std::vector<Configuration> strategies;
  std::vector<Constraint<Problem>> constraints;
  Edges (*edges)(const Configuration&);  ///< where tests look: at each edge, and one before and after it

  /// What elements may be stored as: anything, if the kernel keeps `stored` and `real` apart.
  std::vector<DataType> types = {DataType::f32,  DataType::f64, DataType::f16,
                                 DataType::bf16, DataType::i8,  DataType::u8};
  const char* why_no_other_type = nullptr;  ///< needed where one is missing

  /// Empty where the variant can do the problem on the device, else why it cannot.
  std::string (*unsupported)(const Problem&, const DeviceProfile&);

  /// Configurations to use untuned, best first; the first one that keeps the constraints is taken.
  std::vector<Configuration> (*preferences)(const Problem&, const DeviceProfile&);

  /// What a model of the device expects, to compare variants untuned; null: there is no model.
  double (*expected_cycles)(const Configuration&, const Problem&, const DeviceProfile&) = nullptr;

  /// Parameters that only the launch depends on: no -D options, so that one program serves all their values.
  std::vector<std::string_view> launch_parameters{};

  /// -D options beside the parameters themselves; may be null.
  std::string (*extra_defines)(const Configuration&, const Problem&);

  std::uint64_t (*local_bytes)(const Configuration&, const Problem&);
  /// The parameters that it looks at, where there are many configurations: the tuner then finds what is beyond the
  /// device's limit before it goes through the other parameters. Empty: any.
  std::vector<std::string_view> local_bytes_from{};
  /// What a work-item of the main kernel takes that may not be in registers: its arrays, see kept_across_barriers().
  std::uint64_t (*private_bytes)(const Configuration&, const Problem&, const DeviceProfile&);
  std::optional<Ability> needs{};    ///< probed before the first program is compiled
  bool static_local_memory = false;  ///< may take what DeviceProfile::static_local_memory_bytes says
  std::vector<Workspace> (*workspaces)(const Configuration&, const Problem&,
                                       const DeviceProfile&);  ///< may be null: none
  /// The launches of one problem, one of which is that of the main kernel, named as the operation;
  /// complete_launches() is what to ask.
  std::vector<Launch> (*launches)(const Configuration&, const Problem&, const DeviceProfile&);
  std::vector<std::string_view> launches_from{};  ///< the same of the launches, for the limits of work-groups
};

/// A variant's launches with the dimensions of a batch and the device's limits.
template <class Problem>
std::vector<Launch> complete_launches(const Variant<Problem>& variant, const Configuration& configuration,
                                      const Problem& problem, const DeviceProfile& device) {
  return in_grids(variant.launches(configuration, problem, device), Operation<Problem>::batch(problem),
                  device.max_work_groups);
}

/// The work of a configuration's problem.
struct GroupWork {
  double groups;     ///< work-groups
  double per_group;  ///< relative, comparable between problems of one configuration
};

template <class Problem>
GroupWork group_work(const Variant<Problem>& variant, const Configuration& configuration, const Problem& problem,
                     const DeviceProfile& device) {
  for (const Launch& launch : complete_launches(variant, configuration, problem, device))
    if (launch.kernel == Operation<Problem>::name)
      return {groups_of(launch),
              launch.work_per_group > 0 ? launch.work_per_group : Operation<Problem>::depth(problem)};
  return {};
}

/// The private memory of each of `items` work-items with `arrays` bytes of private arrays, in a kernel whose barriers
/// stand around `steps` unrolled steps. A CPU runs the items of a group one after another from barrier to barrier, so
/// for every item its compiler keeps whatever it computed before, several times the arrays; a GPU has the arrays alone.
std::uint64_t kept_across_barriers(const DeviceProfile& device, std::int64_t items, std::uint64_t arrays,
                                   std::int64_t steps);

// For variants that need nothing special.
template <class Problem>
std::string always_supported(const Problem&, const DeviceProfile&) {
  return {};
}
template <class Problem>
std::uint64_t no_local_memory(const Configuration&, const Problem&) {
  return 0;
}
template <class Problem>
std::uint64_t no_private_arrays(const Configuration&, const Problem&, const DeviceProfile&) {
  return 0;
}

}  // namespace tilewright::detail
