// What a plan enqueues: kernels with their arguments, grids and workspaces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::detail {

/// What a kernel argument is bound to. What is fixed for a plan is a value; the rest is bound by each call.
struct KernelArgument {
  enum class Kind {
    index,   ///< a size or leading dimension: `value`, in the program's index type
    offset,  ///< a number of elements: `value`, 64-bit
    batch,  ///< what BATCH_ARGUMENTS stands for in the kernel file: strides or a table of offsets, none without a batch
    depth,  ///< how far sums go, 0 where the inputs are not read; in the program's index type
    scalar,     ///< the call's scalar number `value` (alpha, beta), in the type of the arithmetic
    matrix,     ///< the call's matrix number `value` (A, B, C, ...): two arguments, buffer and offset in elements
    workspace,  ///< workspace number `value`: two arguments, buffer and offset in elements
    image,      ///< workspace number `value`, an image
    epilogue,   ///< what EPILOGUE_ARGUMENTS stands for in the kernel file: FixedValues::epilogue
  } kind;
  std::uint64_t value = 0;

  friend bool operator==(const KernelArgument&, const KernelArgument&) = default;
};

/// Kernel arguments by name, for variants that say `using namespace argument`.
namespace argument {
constexpr KernelArgument index(std::uint64_t value) { return {KernelArgument::Kind::index, value}; }
constexpr KernelArgument offset(std::uint64_t value) { return {KernelArgument::Kind::offset, value}; }
constexpr KernelArgument workspace(std::uint64_t which) { return {KernelArgument::Kind::workspace, which}; }
constexpr KernelArgument matrix(std::uint64_t which) { return {KernelArgument::Kind::matrix, which}; }
constexpr KernelArgument image(std::uint64_t which) { return {KernelArgument::Kind::image, which}; }
inline constexpr KernelArgument depth{KernelArgument::Kind::depth};
inline constexpr KernelArgument batch{KernelArgument::Kind::batch};
inline constexpr KernelArgument epilogue{KernelArgument::Kind::epilogue};
inline constexpr KernelArgument alpha{KernelArgument::Kind::scalar, 0};
inline constexpr KernelArgument beta{KernelArgument::Kind::scalar, 1};
inline constexpr KernelArgument a{KernelArgument::Kind::matrix, 0};
inline constexpr KernelArgument b{KernelArgument::Kind::matrix, 1};
inline constexpr KernelArgument c{KernelArgument::Kind::matrix, 2};
inline constexpr KernelArgument scale{KernelArgument::Kind::matrix, 3};
inline constexpr KernelArgument bias{KernelArgument::Kind::matrix, 4};
inline constexpr KernelArgument residual{KernelArgument::Kind::matrix, 5};
}  // namespace argument

/// A workspace begins at a multiple of so many bytes.
inline constexpr std::uint64_t workspace_alignment = 256;

/// Device memory beside the operands.
struct Workspace {
  enum class Kind {
    buffer,
    float4_image,
    tickets,  ///< zeros before the launches, which leave zeros: see cl/common/last_group.cl; of 4 bytes each
  } kind = Kind::buffer;
  std::uint64_t bytes = 0;
  std::size_t width = 0;  ///< images, in texels
  std::size_t height = 0;
  std::size_t element = 0;  ///< bytes of what offsets count; 0: of a sum
};

/// Tickets of a plan, at most: as many as the engine's zeros hold.
inline constexpr std::uint64_t max_tickets = 1 << 14;

/// A copy of an input in a workspace.
struct Packing {
  std::uint64_t input;      ///< the number of the matrix
  std::uint64_t workspace;  ///< which one it fills
  std::string form;         ///< what the copy looks like: equal for copies that may stand for one another
};

/// What comes before the launches of a variant, which wait for it.
struct Preparation {
  std::optional<std::uint64_t> input{};   ///< it writes what stands for this matrix: left out where that is not read
  std::optional<std::uint64_t> scalar{};  ///< left out where this scalar of the call is 0
};

/// One kernel enqueue of a plan.
struct Launch {
  const char* kernel;
  std::vector<KernelArgument> arguments{};
  std::vector<std::size_t> global;  ///< of one problem; those of a batch multiply the third dimension
  /// Never the driver's choice: PoCL compiles a kernel anew for each size that it picks.
  std::vector<std::size_t> local;
  std::optional<Packing> packs{};  ///< such a launch is left out where the inputs are not read
  std::optional<Preparation> prepares{};
  bool shared = false;        ///< once for a whole batch
  double work_per_group = 0;  ///< multiply-adds, where that is not the same for all problems of the same depth
  std::string defines{};      ///< -D options that only a plan with this launch needs
  /// Work-groups of one enqueue along each dimension, at most: DeviceProfile::max_work_groups, as complete_launches()
  /// notes.
  std::array<std::size_t, 3> max_groups{};
};

/// Work-groups of a launch.
double groups_of(const Launch& launch);

/// Notes the device's limits, and multiplies the grids by the problems of a batch; 0: there is no batch.
std::vector<Launch> in_grids(std::vector<Launch> launches, std::uint64_t batch,
                             const std::array<std::size_t, 3>& max_groups);

}  // namespace tilewright::detail
