// The commands that a plan enqueues: kernels with their arguments, grids and workspaces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/tensor_map.hpp"

namespace tilewright::detail {

/// The value that a kernel argument is bound to. Values fixed for a plan are stored here; each call binds the others.
/// Each operation names the scalars and matrices of its calls.
struct KernelArgument {
  enum class Kind {
    index,   ///< a size or leading dimension: `value`, in the program's index type
    offset,  ///< a number of elements: `value`, 64-bit
    /// The arguments of BATCH_ARGUMENTS in the kernel file: strides or a table of offsets; none without a batch.
    batch,
    size,       ///< the call's size, in the program's index type
    scalar,     ///< the call's scalar number `value`, in the type of the arithmetic
    matrix,     ///< the call's matrix number `value`: two arguments, buffer and offset in elements
    workspace,  ///< workspace number `value`: two arguments, buffer and offset in elements
    image,      ///< workspace number `value`, an image
    map,        ///< tensor map number `value` of the launch
    inserted,   ///< the arguments of FixedValues::inserted
  } kind;
  std::uint64_t value = 0;

  friend bool operator==(const KernelArgument&, const KernelArgument&) = default;
};

/// Kernel arguments, for code with `using namespace argument`.
namespace argument {
constexpr KernelArgument index(std::uint64_t value) { return {KernelArgument::Kind::index, value}; }
constexpr KernelArgument offset(std::uint64_t value) { return {KernelArgument::Kind::offset, value}; }
constexpr KernelArgument scalar(std::uint64_t which) { return {KernelArgument::Kind::scalar, which}; }
constexpr KernelArgument matrix(std::uint64_t which) { return {KernelArgument::Kind::matrix, which}; }
constexpr KernelArgument workspace(std::uint64_t which) { return {KernelArgument::Kind::workspace, which}; }
constexpr KernelArgument image(std::uint64_t which) { return {KernelArgument::Kind::image, which}; }
constexpr KernelArgument map(std::uint64_t which) { return {KernelArgument::Kind::map, which}; }
inline constexpr KernelArgument batch{KernelArgument::Kind::batch};
inline constexpr KernelArgument size{KernelArgument::Kind::size};
inline constexpr KernelArgument inserted{KernelArgument::Kind::inserted};
}  // namespace argument

/// A workspace begins at a multiple of this many bytes.
inline constexpr std::uint64_t workspace_alignment = 256;

/// Device memory that a launch needs in addition to the operands.
struct Workspace {
  enum class Kind {
    buffer,
    float4_image,
    tickets,  ///< 4-byte counters, 0 before the launches, which reset them to 0: see cl/common/last_group.cl
  } kind = Kind::buffer;
  std::uint64_t bytes = 0;
  std::size_t width = 0;  ///< images, in texels
  std::size_t height = 0;
  std::size_t element = 0;  ///< bytes of the elements that offsets count; 0: the size of a sum
};

/// Limit on a plan's tickets: the number that the engine's zeros hold.
inline constexpr std::uint64_t max_tickets = 1 << 14;

/// A copy of an input in a workspace.
struct Packing {
  std::uint64_t input;      ///< index of the matrix
  std::uint64_t workspace;  ///< index of the workspace that holds the copy
  std::string form;         ///< format of the copy; copies of equal form are interchangeable
};

/// Marks a launch that runs before the launches of a variant, which wait for it.
struct Preparation {
  /// The matrix whose replacement the launch writes; skipped if that matrix is not read.
  std::optional<std::uint64_t> input{};
  std::optional<std::uint64_t> scalar{};  ///< the launch is skipped if this scalar of the call is 0
};

/// One kernel enqueue of a plan.
struct Launch {
  const char* kernel;
  std::vector<KernelArgument> arguments{};
  std::vector<std::size_t> global;  ///< of one problem; a batch multiplies the third dimension
  /// Never left to the driver: PoCL compiles a kernel again for each size that it picks.
  std::vector<std::size_t> local;
  std::optional<Packing> packs{};  ///< skipped if the inputs are not read
  std::optional<Preparation> prepares{};
  bool shared = false;            ///< runs once for a whole batch
  double work_per_group = 0;      ///< relative; 0: the problem's Operation<Problem>::depth()
  std::vector<TensorMap> maps{};  ///< values of arguments of kind `map`
  std::string defines{};          ///< -D options that only plans with this launch need
  /// Limits on the work-groups of one enqueue per dimension: DeviceProfile::max_work_groups. in_grids() sets
  /// them.
  std::array<std::size_t, 3> max_groups{};
};

/// The launches of one problem, and the workspaces that they number.
struct Execution {
  std::vector<Launch> launches{};
  std::vector<Workspace> workspaces{};
  double cycles = 0;  ///< that a model of the device expects; 0: there is no model
};

/// Returns the number of work-groups of a launch.
double groups_of(const Launch& launch);

/// Sets the device's limits, and multiplies the grids by the number of problems in a batch; 0: there is no batch.
std::vector<Launch> in_grids(std::vector<Launch> launches, std::uint64_t batch,
                             const std::array<std::size_t, 3>& max_groups);

}  // namespace tilewright::detail
