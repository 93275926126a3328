// Splitting k, for C with too few tiles for the device. k is divided into slices; a variant computes a separate C for
// each in a workspace. The kernel split_k_reduction, or the last group of each tile, adds them up.
#pragma once

#include "gemm/variant.hpp"

namespace tilewright::detail {

struct Slices {
  std::size_t count = 1;
  std::int64_t length = 1;  ///< steps of k per slice; the last one may be shorter
  std::uint64_t whole = 0;  ///< number of tiles that are not divided, the first ones; only if groups add slices
  bool by_groups = false;   ///< true: the last group of each tile adds its slices; false: another launch adds all
};

/// Divides k into enough slices to bring the work-groups of all products, `work_groups` each, up to `wanted`. No slice
/// is shorter than `least`, and all but the last are multiples of `step`. Returns one slice if `least` is 0 or
/// tiles have ranges of k.
Slices split_k(const CoreProduct& problem, std::size_t work_groups, double wanted, std::int64_t least,
               std::int64_t step);

/// Number of work-groups of `items` work-items that keep a GPU busy, if each has registers for large blocks.
double groups_to_fill(const DeviceProfile& device, std::int64_t items);

/// The workspace: m x n sums per slice and product of a batch.
Workspace slices_workspace(const CoreProduct& problem, const Slices& slices);

/// Arguments of the kernel "gemm" for C if C is workspace `place`: the buffer, its offset, and its leading dimension.
std::vector<KernelArgument> slices_arguments(const CoreProduct& problem, std::uint64_t place);

/// The launch of split_k_reduction, which must be among the shared files of a variant that splits k. The slices are
/// workspace `place`.
Launch split_k_reduction_launch(const CoreProduct& problem, const DeviceProfile& device, const Slices& slices,
                                std::uint64_t place);

/// Tiles of C, with one work-group each, and the number of sums per group.
struct TileGroups {
  std::uint64_t tiles;
  std::uint64_t sums;
};

/// The tiles of parameters that are named tile_m and tile_n.
template <class Parameters>
TileGroups tile_groups(const Parameters& parameters, const CoreProduct& problem) {
  return {tiles_in_c(parameters, problem), static_cast<std::uint64_t>(parameters.tile_m * parameters.tile_n)};
}

/// Whether the last group to finish a tile can add its slices; and whether it should if there is no model.
bool last_group_can_add(const CoreProduct& problem, const DeviceProfile& device, std::size_t slices,
                        const TileGroups& tiles);
bool last_group_should_add(const CoreProduct& problem, const DeviceProfile& device, std::size_t slices,
                           const TileGroups& tiles);

/// split_k() for groups with one tile each, if there is no model of how to divide.
Slices slices_of_tiles(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles, double wanted,
                       std::int64_t least, std::int64_t step);

/// Workspaces that groups_in_slices() needs; none for one slice.
std::vector<Workspace> slices_workspaces(const CoreProduct& problem, const Slices& slices, const TileGroups& tiles);

std::uint64_t products_of(const CoreProduct& problem);  ///< batch.count, at least 1

/// Launches of the kernel "gemm" with its usual arguments, one group of `items` work-items per tile. If k is in slices,
/// SPLIT_K is defined, the arguments of cl/gemm/split_k.cl are appended, and another launch adds the slices unless
/// groups do.
std::vector<Launch> groups_in_slices(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles,
                                     std::int64_t items, const Slices& slices);

Execution in_slices(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles,
                    std::int64_t items, const Slices& slices);

constexpr const char* split_k_reduction_file = "gemm/split_k_reduction.cl";

}  // namespace tilewright::detail
