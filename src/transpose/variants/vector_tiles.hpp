// The tile of cl/transpose/tile_moves.cl, for the variants that use it.
#pragma once

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// tile_m, tile_n, vector and wg.
ParameterList vector_tile_parameters();
std::vector<Constraint<TransposeProblem>> vector_tile_constraints();
Edges vector_tile_edges(const Configuration& configuration);

/// Configurations for GPUs: a work-item moves about 64 bytes, in vectors of up to 16 bytes.
std::vector<Configuration> vector_tile_preferences(const TransposeProblem& problem, const DeviceProfile& device);

std::string vector_tile_defines(const Configuration& configuration, const TransposeProblem& problem);

/// Local memory of one tile.
std::uint64_t vector_tile_bytes(const Configuration& configuration, const TransposeProblem& problem);

std::uint64_t vector_tile_private_bytes(const Configuration& configuration, const TransposeProblem& problem,
                                        const DeviceProfile& device);

}  // namespace tilewright::detail
