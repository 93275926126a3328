#include <algorithm>

#include "gemm/variant.hpp"

namespace tilewright::detail::gemm_variants {
namespace {

struct LocalTile {
  std::int64_t tile_m, tile_n, tile_k, padded;
};

struct PaddedSizes {
  std::uint64_t m, n, k;
};

PaddedSizes padded_sizes(const LocalTile& c, const CoreProduct& p) {
  return {rounded_up(p.m, c.tile_m), rounded_up(p.n, c.tile_n), rounded_up(std::max<std::uint64_t>(1, p.k), c.tile_k)};
}

}  // namespace

extern constexpr GemmVariant local_tile{
    .name = "local_tile",
    .summary = "tiles of A and B in local memory, one element of C per work-item",
    .program = {.file = "gemm/local_tile.cl"},
    .parameters =
        {
            {"tile_m", &LocalTile::tile_m, "rows of the tile of C, and work-items along m", {1, 4, 8, 16, 32, 64}},
            {"tile_n", &LocalTile::tile_n, "columns of the tile of C, and work-items along n", {4, 8, 16, 32, 64}},
            {"tile_k", &LocalTile::tile_k, "depth of the tiles of A and B", {4, 8, 16, 32, 64}},
            {"padded", &LocalTile::padded, "0: guard the edges; 1: copy the operands into whole tiles first", {0, 1}},
        },
    .constraints = {{"padded is 0 or 1",
                     "padded is a switch",
                     {&LocalTile::padded},
                     [](const LocalTile& c, const CoreProduct&, const DeviceProfile&) { return c.padded <= 1; }}},
    .preferences = [](const CoreProduct&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {LocalTile{.tile_m = 8, .tile_n = 32, .tile_k = 32, .padded = 0},
              LocalTile{.tile_m = 8, .tile_n = 8, .tile_k = 8, .padded = 0},
              LocalTile{.tile_m = 1, .tile_n = 1, .tile_k = 8, .padded = 0}};
    },
    .strategies = {{{&LocalTile::padded, 1}}},
    .edges = [](const LocalTile& c) -> Edges {
      return {{c.tile_m}, {c.tile_n}, {c.tile_k}};
    },
    .memory = {.local_bytes =
                   [](const LocalTile& c, const CoreProduct& p) {
                     return static_cast<std::uint64_t>((c.tile_m + c.tile_n) * c.tile_k) * accumulator_bytes(p.type);
                   },
               .private_bytes =
                   [](const LocalTile& c, const CoreProduct&, const DeviceProfile& d) {
                     return kept_across_barriers(d, c.tile_m * c.tile_n, 0, c.tile_k);
                   }},
    .execution = [](const LocalTile& t, const CoreProduct& p, const DeviceProfile&) -> Execution {
      using namespace gemm_slots;
      const auto tile_m = static_cast<std::size_t>(t.tile_m), tile_n = static_cast<std::size_t>(t.tile_n);
      Launch product{.kernel = "gemm",
                     .arguments = gemm_arguments(p),
                     .global = {ceil_div(p.n, t.tile_n) * tile_n, ceil_div(p.m, t.tile_m) * tile_m},
                     .local = {tile_n, tile_m}};
      if (t.padded == 0) return {.launches = {product}};

      const PaddedSizes padded = padded_sizes(t, p);
      product.arguments = {index(p.m),      index(p.n),   depth,           alpha, workspace(0),
                           index(padded.k), workspace(1), index(padded.n), beta,  c,
                           index(p.ldc),    batch,        epilogue};
      const std::string form = "whole tiles of " + to_string(configuration_of(local_tile, t));
      return {
          .launches = {{.kernel = "pad_a",
                        .arguments = {index(p.m), index(p.k), a, index(p.lda), workspace(0), index(padded.k), batch},
                        .global = {rounded_up(padded.k, t.tile_n), padded.m},
                        .local = {tile_n, tile_m},
                        .packs = Packing{a.value, 0, form}},
                       {.kernel = "pad_b",
                        .arguments = {index(p.k), index(p.n), b, index(p.ldb), workspace(1), index(padded.n), batch},
                        .global = {padded.n, rounded_up(padded.k, t.tile_m)},
                        .local = {tile_n, tile_m},
                        .packs = Packing{b.value, 1, form}},
                       product},
          .workspaces = {{.bytes = bytes_of(p.batch.count * padded.m, padded.k, accumulator_bytes(p.type))},
                         {.bytes = bytes_of(p.batch.count * padded.k, padded.n, accumulator_bytes(p.type))}}};
    },
};

}  // namespace tilewright::detail::gemm_variants
