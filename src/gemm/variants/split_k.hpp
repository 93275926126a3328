// Splitting k: where C has too few tiles for the device, k is cut into slices, a variant computes a C of its own for
// each in a workspace, and the kernel split_k_reduction adds them up.
#pragma once

#include "gemm/variant.hpp"

namespace tilewright::detail {

struct Slices {
  std::size_t count = 1;
  std::int64_t length = 1;  ///< k of each but the last
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

/// slices_workspace() alone, or nothing for one slice.
std::vector<Workspace> slices_workspaces(const GemmProblem& problem, const Slices& slices);

/// A launch over all of k, made one over slices: the second dimension counts them, SPLIT_K is defined, C is workspace
/// 0, two arguments more are their length and their number. And the launch that adds them up. One slice leaves the
/// launch as it is.
std::vector<Launch> product_in_slices(Launch product, const GemmProblem& problem, const DeviceProfile& device,
                                      const Slices& slices);

/// For variants with a group of `items` work-items for each tile_m x tile_n of C, which step along k by tile_k and let
/// slice_k say how short a slice may be: the slices, and the launches over them.
Slices slices_of_tiles(const Configuration& configuration, const GemmProblem& problem, const DeviceProfile& device,
                       std::int64_t items);
std::vector<Launch> tiles_in_slices(const Configuration& configuration, const GemmProblem& problem,
                                    const DeviceProfile& device, std::int64_t items);

constexpr const char* split_k_reduction_file = "gemm/split_k_reduction.cl";

}  // namespace tilewright::detail
