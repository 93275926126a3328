// The tile of cl/transpose/tile_moves.cl, for the variants that use it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "transpose/variants/cpu_blocks.hpp"

namespace tilewright::detail {

struct VectorTile {
  std::int64_t tile_m, tile_n, vector, wg;

  std::int64_t blocks() const { return tile_m / vector * (tile_n / vector); }
};

inline constexpr ParameterList vector_tile_parameters{
    {"tile_m", &VectorTile::tile_m, "rows of the tile of A", {8, 16, 32, 64, 128}},
    {"tile_n", &VectorTile::tile_n, "columns of the tile of A", {8, 16, 32, 64, 128}},
    {"vector", &VectorTile::vector, "elements of a line, and lines of a block", {1, 2, 4, 8}},
    {"wg", &VectorTile::wg, "work-items of a group", {32, 64, 128, 256, 512}}};

inline constexpr Constraints<TransposeProblem> vector_tile_constraints{
    vector_exists<VectorTile>,
    vector_of_small_elements<VectorTile>,
    {"tile_m and tile_n are multiples of vector",
     "blocks do not cross tiles",
     {&VectorTile::tile_m, &VectorTile::tile_n, &VectorTile::vector},
     [](const VectorTile& c, const TransposeProblem&, const DeviceProfile&) {
       return c.tile_m % c.vector == 0 && c.tile_n % c.vector == 0;
     }},
    {"tile_m / vector is a power of two",
     "an exclusive or spreads lines over the banks",
     {&VectorTile::tile_m, &VectorTile::vector},
     [](const VectorTile& c, const TransposeProblem&, const DeviceProfile&) {
       return std::has_single_bit(static_cast<std::uint64_t>(c.tile_m / c.vector));
     }},
    {"the blocks of a tile are a multiple of wg",
     "every work-item moves the same number of them",
     {&VectorTile::tile_m, &VectorTile::tile_n, &VectorTile::vector, &VectorTile::wg},
     [](const VectorTile& c, const TransposeProblem&, const DeviceProfile&) { return c.blocks() % c.wg == 0; }},
    {"a work-item moves at most 64 lines",
     "they are in its registers",
     {&VectorTile::tile_m, &VectorTile::tile_n, &VectorTile::vector, &VectorTile::wg},
     [](const VectorTile& c, const TransposeProblem&, const DeviceProfile&) {
       return c.blocks() / c.wg * c.vector <= 64;
     }}};

inline constexpr auto vector_tile_edges = [](const VectorTile& c) -> Edges {
  return {{c.tile_m, c.vector}, {c.tile_n, c.vector}};
};

/// Tiles for GPUs, best first: a work-item moves about 64 bytes, in vectors of up to 16 bytes.
std::array<VectorTile, 3> preferred_tiles(const TransposeProblem& problem);
std::vector<ParameterValues> vector_tile_preferences(const TransposeProblem& problem, const DeviceProfile& device);

inline constexpr auto vector_tile_defines = [](const VectorTile& c, const TransposeProblem& p) {
  return line_defines(p, c.vector);
};

/// Local memory of one tile.
inline constexpr auto vector_tile_bytes = [](const VectorTile& c, const TransposeProblem& p) {
  return bytes_of_elements(p, c.tile_m * c.tile_n);
};

inline constexpr auto vector_tile_private_bytes = [](const VectorTile& c, const TransposeProblem& p,
                                                     const DeviceProfile& d) {
  const std::int64_t lines = c.blocks() / c.wg * c.vector;
  return kept_across_barriers(d, c.wg, bytes_of_elements(p, 2 * c.vector * c.vector), 2 * lines);
};

}  // namespace tilewright::detail
