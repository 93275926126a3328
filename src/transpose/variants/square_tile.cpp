#include "transpose/variant.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct SquareTile {
  std::int64_t tile;
};

}  // namespace

extern constexpr TransposeVariant square_tile{
    .name = "square_tile",
    .summary = "a square tile in local memory, one element per work-item, whole cache lines on both sides",
    .program = {.file = "transpose/square_tile.cl"},
    .parameters =
        {{"tile", &SquareTile::tile, "rows and columns of the tile, and work-items along both", {4, 8, 16, 32}}},
    .preferences = [](const TransposeProblem&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {SquareTile{16}, SquareTile{8}, SquareTile{1}};
    },
    .edges = [](const SquareTile& c) -> Edges {
      return {{c.tile}, {c.tile}};
    },
    .needs = {.unsupported = only_out_of_place},
    .memory = {.local_bytes = [](const SquareTile& c,
                                 const TransposeProblem& p) { return bytes_of_elements(p, c.tile * c.tile); },
               .private_bytes = [](const SquareTile& c, const TransposeProblem&,
                                   const DeviceProfile& d) { return kept_across_barriers(d, c.tile * c.tile, 0, 1); }},
    .execution = [](const SquareTile& c, const TransposeProblem& p, const DeviceProfile&) -> Execution {
      const auto tile = static_cast<std::size_t>(c.tile);
      return {.launches = {{.kernel = "transpose",
                            .arguments = transpose_arguments(p),
                            .global = {ceil_div(p.n, c.tile) * tile, ceil_div(p.m, c.tile) * tile},
                            .local = {tile, tile}}}};
    },
};

}  // namespace tilewright::detail::transpose_variants
