// Rules of variants whose warps multiply strips of a tile of C.
#pragma once

#include <cstdint>

#include "gemm/variant.hpp"

namespace tilewright::detail {

/// The sizes of a work-group's tile and of a warp's part of it are powers of two. `Tiles` has the parameters.
template <class Tiles>
inline constexpr Constraint<GemmProblem> warp_tiles_are_powers_of_two{
    "tile_m, tile_n, tile_k, warp_m and warp_n are powers of two",
    "the location of a chunk depends on bits of its index",
    {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::warp_n},
    [](const Tiles& c, const CoreProduct&, const DeviceProfile&) {
      return is_power_of_two(c.tile_m) && is_power_of_two(c.tile_n) && is_power_of_two(c.tile_k) &&
             is_power_of_two(c.warp_m) && is_power_of_two(c.warp_n);
    }};

/// A warp's part consists of strips, and lies in the tile.
template <class Tiles>
inline constexpr Constraint<GemmProblem> warps_multiply_strips{
    "16 <= warp_m <= tile_m, 16 <= warp_n <= tile_n",
    "a warp multiplies strips of 16 rows and columns",
    {&Tiles::tile_m, &Tiles::tile_n, &Tiles::warp_m, &Tiles::warp_n},
    [](const Tiles& c, const CoreProduct&, const DeviceProfile&) {
      return c.warp_m >= 16 && c.warp_n >= 16 && c.warp_m <= c.tile_m && c.warp_n <= c.tile_n;
    }};

}  // namespace tilewright::detail
