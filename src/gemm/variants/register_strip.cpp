#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

struct Strips {
  std::int64_t tile_m, tile_n, tile_k, strip, pad;
};

}  // namespace

extern constexpr GemmVariant register_strip{
    .name = "register_strip",
    .summary = "A's tile in local memory, B in registers, a strip of a column of C per work-item",
    .program = {.file = "gemm/register_strip.cl"},
    .parameters =
        {
            {"tile_m", &Strips::tile_m, "rows of the tile of C (h)", {8, 16, 32, 64, 128, 256}},
            {"tile_n", &Strips::tile_n, "columns of the tile of C, and work-items along n (w)", {8, 16, 32, 64, 128}},
            {"tile_k", &Strips::tile_k, "depth of the tile of A (r)", {4, 8, 16, 32}},
            {"strip", &Strips::strip, "results of one work-item", {1, 2, 4, 8, 16, 32}},
            {"pad", &Strips::pad, "padding elements after each row of the local tile", {0, 1, 2, 4}},
        },
    .constraints = {{"tile_m is a multiple of strip",
                     "a strip does not cross tiles",
                     {&Strips::tile_m, &Strips::strip},
                     [](const Strips& c, const CoreProduct&, const DeviceProfile&) { return c.tile_m % c.strip == 0; }},
                    {"strip <= 128 and tile_k <= 256",
                     "both are unrolled into registers",
                     {&Strips::strip, &Strips::tile_k},
                     [](const Strips& c, const CoreProduct&, const DeviceProfile&) {
                       return c.strip <= 128 && c.tile_k <= 256;
                     }}},
    .preferences =
        [](const CoreProduct& p, const DeviceProfile& d) {
          constexpr Strips largest_first[] = {{.tile_m = 32, .tile_n = 128, .tile_k = 16, .strip = 32, .pad = 4},
                                              {.tile_m = 16, .tile_n = 64, .tile_k = 32, .strip = 8, .pad = 4}};
          auto result = shrink_to_fill<Strips>(largest_first, p, d.compute_units,
                                               [&](const Strips& c) { return tiles_in_c(c, p); });
          result.emplace_back(Strips{.tile_m = 8, .tile_n = 1, .tile_k = 8, .strip = 8, .pad = 0});
          return result;
        },
    .edges = [](const Strips& c) -> Edges {
      return {{c.tile_m}, {c.tile_n}, {c.tile_k}};
    },
    .memory = {.local_bytes =
                   [](const Strips& c, const CoreProduct& p) {
                     return static_cast<std::uint64_t>((c.tile_m + c.pad) * c.tile_k) * accumulator_bytes(p.type);
                   },
               .private_bytes =
                   [](const Strips& c, const CoreProduct& p, const DeviceProfile& d) {
                     const auto arrays = static_cast<std::uint64_t>(c.strip + c.tile_k) * accumulator_bytes(p.type);
                     return kept_across_barriers(d, c.tile_m / c.strip * c.tile_n, arrays, c.tile_k);
                   }},
    .execution = [](const Strips& c, const CoreProduct& p, const DeviceProfile&) -> Execution {
      const auto tile_n = static_cast<std::size_t>(c.tile_n), strips = static_cast<std::size_t>(c.tile_m / c.strip);
      return {.launches = {{.kernel = "gemm",
                            .arguments = gemm_arguments(p),
                            .global = {ceil_div(p.n, c.tile_n) * tile_n, ceil_div(p.m, c.tile_m) * strips},
                            .local = {tile_n, strips}}}};
    },
};

}  // namespace tilewright::detail::gemm_variants
