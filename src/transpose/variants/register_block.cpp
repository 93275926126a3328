#include <algorithm>

#include "transpose/variants/cpu_blocks.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct RegisterBlock {
  std::int64_t tile_m, tile_n, vector, along_b = 0, stream;
};

using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

// Non-temporal stores pay if B does not stay in the caches, and only for whole cache lines.
bool streams(Problem p, Profile d, std::int64_t vector) {
  constexpr std::uint64_t default_line = 64;
  return static_cast<std::uint64_t>(vector) * p.type.bytes() >=
             std::max<std::uint64_t>(default_line, d.cache_line_bytes) &&
         bytes_moved(p) / 2 > static_cast<double>(d.global_cache_bytes);
}

}  // namespace

extern constexpr TransposeVariant register_block{
    .name = "register_block",
    .summary = "blocks transposed in vector registers, a tile per work-item: for CPUs",
    .program = {.file = "transpose/register_block.cl",
                .shared_files = {"transpose/lines.cl"},
                .extra_defines = [](const RegisterBlock& c, Problem p) { return line_defines(p, c.vector); }},
    .parameters =
        {
            {"tile_m", &RegisterBlock::tile_m, "rows of the tile of A", {16, 32, 64, 128, 256, 1024}},
            {"tile_n", &RegisterBlock::tile_n, "columns of the tile of A", {16, 32, 64, 128, 256, 1024}},
            {"vector", &RegisterBlock::vector, "rows and columns of a block", {1, 2, 4, 8, 16}},
            {"along_b", &RegisterBlock::along_b, "the blocks of a tile come along the rows of 0: A, 1: B", {0, 1}},
            {"stream", &RegisterBlock::stream, "1: whole lines of B go past the caches", {0, 1}},
        },
    .constraints =
        {
            vector_exists<RegisterBlock>,
            vector_of_small_elements<RegisterBlock>,
            {"tile_m and tile_n are multiples of vector",
             "blocks do not cross tiles",
             {&RegisterBlock::tile_m, &RegisterBlock::tile_n, &RegisterBlock::vector},
             [](const RegisterBlock& c, Problem, Profile) {
               return c.tile_m % c.vector == 0 && c.tile_n % c.vector == 0;
             }},
            {"along_b and stream are 0 or 1",
             "they are switches",
             {&RegisterBlock::along_b, &RegisterBlock::stream},
             [](const RegisterBlock& c, Problem, Profile) { return c.along_b <= 1 && c.stream <= 1; }},
        },
    .preferences = [](Problem p, Profile d) -> std::vector<ParameterValues> {
      const std::int64_t vector = native_vector(p, d);
      const std::int64_t tile = p.type.bytes() < 4 ? 128 : 64;
      return {RegisterBlock{.tile_m = tile, .tile_n = tile, .vector = vector, .stream = streams(p, d, vector) ? 1 : 0}};
    },
    .strategies = {{{&RegisterBlock::stream, 1}}},
    .edges = [](const RegisterBlock& c) -> Edges {
      return {{c.tile_m, c.vector}, {c.tile_n, c.vector}};
    },
    .needs = {.unsupported = only_out_of_place},
    .memory = {.private_bytes = [](const RegisterBlock& c, Problem p,
                                   Profile) { return bytes_of_elements(p, 2 * c.vector * c.vector); }},
    .execution = [](const RegisterBlock& c, Problem p, Profile) { return over_tiles(p, c.tile_m, c.tile_n, 1); },
};

}  // namespace tilewright::detail::transpose_variants
