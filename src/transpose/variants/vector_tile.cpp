#include "transpose/variants/vector_tiles.hpp"

namespace tilewright::detail::transpose_variants {

extern constexpr TransposeVariant vector_tile{
    .name = "vector_tile",
    .summary = "blocks of vectors, transposed in registers, through a tile in local memory",
    .program = {.file = "transpose/vector_tile.cl",
                .shared_files = {"transpose/lines.cl", "transpose/tile_moves.cl"},
                .extra_defines = vector_tile_defines},
    .parameters = vector_tile_parameters,
    .constraints = vector_tile_constraints,
    .preferences = vector_tile_preferences,
    .edges = vector_tile_edges,
    .needs = {.unsupported = only_out_of_place},
    .memory = {.local_bytes = vector_tile_bytes, .private_bytes = vector_tile_private_bytes},
    .execution = [](const VectorTile& c, const TransposeProblem& p,
                    const DeviceProfile&) { return over_tiles(p, c.tile_m, c.tile_n, c.wg); },
};

}  // namespace tilewright::detail::transpose_variants
