// Splitting k: where C has too few tiles for the device, k is cut into slices, a variant computes a C of its own for
// each in a workspace, and the kernel split_k_reduction, or the last group of each tile, adds them up.
#pragma once

#include "gemm/variant.hpp"

namespace tilewright::detail {

struct Slices {
  std::size_t count = 1;
  std::int64_t length = 1;  ///< k of each but the last
  std::uint64_t whole = 0;  ///< of the tiles, those that are not divided, the first ones; only where groups add slices
  bool by_groups = false;   ///< the last group of each tile adds its slices, else another launch adds all of them
};

/// As many slices as bring the work-groups of all products, `work_groups` for each, up to `wanted`; none shorter than
/// `least`, and all but the last a multiple of `step`; one where `least` is 0.
Slices split_k(const GemmProblem& problem, std::size_t work_groups, double wanted, std::int64_t least,
               std::int64_t step);

/// Work-groups of `items` work-items that keep a GPU busy where each has registers for large blocks.
double groups_to_fill(const DeviceProfile& device, std::int64_t items);

/// The workspace: m x n sums for each slice, of each product of a batch.
Workspace slices_workspace(const GemmProblem& problem, const Slices& slices);

/// The arguments of the kernel "gemm" for its C, where this is workspace `place`: the buffer, its offset, the length of
/// its rows.
std::vector<KernelArgument> slices_arguments(const GemmProblem& problem, std::uint64_t place);

/// The launch of split_k_reduction, which a variant that splits k has among its shared files; the slices are workspace
/// `place`.
Launch split_k_reduction_launch(const GemmProblem& problem, const DeviceProfile& device, const Slices& slices,
                                std::uint64_t place);

/// Tiles of C, one work-group for each, and the sums of each group.
struct TileGroups {
  std::uint64_t tiles;
  std::uint64_t sums;
};

/// Whether the group that is done last with a tile can add its slices; and whether it should where no model tells.
bool last_group_can_add(const GemmProblem& problem, const DeviceProfile& device, std::size_t slices,
                        const TileGroups& tiles);
bool last_group_should_add(const GemmProblem& problem, const DeviceProfile& device, std::size_t slices,
                           const TileGroups& tiles);

/// split_k() for groups with a tile each, where no model tells how to divide.
Slices slices_of_tiles(const GemmProblem& problem, const DeviceProfile& device, const TileGroups& tiles, double wanted,
                       std::int64_t least, std::int64_t step);

/// What groups_in_slices() needs; nothing for one slice.
std::vector<Workspace> slices_workspaces(const GemmProblem& problem, const Slices& slices, const TileGroups& tiles);

std::uint64_t products_of(const GemmProblem& problem);  ///< of a batch, or 1

/// The launches of the kernel "gemm" with its usual arguments, a group of `items` work-items for each tile; where k is
/// in slices, SPLIT_K is defined and arguments are added as cl/gemm/split_k.cl says, and another launch adds the slices
/// up where no group does.
std::vector<Launch> groups_in_slices(const GemmProblem& problem, const DeviceProfile& device, const TileGroups& tiles,
                                     std::int64_t items, const Slices& slices);

constexpr const char* split_k_reduction_file = "gemm/split_k_reduction.cl";

}  // namespace tilewright::detail
