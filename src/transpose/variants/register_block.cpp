#include <algorithm>

#include "transpose/variants/cpu_blocks.hpp"

namespace tilewright::detail {

extern const TransposeVariant register_block;
namespace {

using Config = const Configuration&;
using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

// Non-temporal stores pay if B does not stay in the caches, and only for whole cache lines.
bool streams(Problem p, Profile d, std::int64_t vector) {
  constexpr std::uint64_t default_line = 64;
  return static_cast<std::uint64_t>(vector) * p.type.bytes() >=
             std::max<std::uint64_t>(default_line, d.cache_line_bytes) &&
         bytes_moved(p) / 2 > static_cast<double>(d.global_cache_bytes);
}

std::vector<Constraint<TransposeProblem>> constraints() {
  auto result = vector_constraints();
  result.push_back(
      {"tile_m and tile_n are multiples of vector",
       "blocks do not cross tiles",
       {"tile_m", "tile_n", "vector"},
       [](Config c, Problem, Profile) { return c["tile_m"] % c["vector"] == 0 && c["tile_n"] % c["vector"] == 0; }});
  result.push_back(
      {"along_b and stream are 0 or 1", "they are switches", {"along_b", "stream"}, [](Config c, Problem, Profile) {
         return c["along_b"] <= 1 && c["stream"] <= 1;
       }});
  return result;
}

}  // namespace

const TransposeVariant register_block{
    .name = "register_block",
    .summary = "blocks transposed in vector registers, a tile per work-item: for CPUs",
    .file = "transpose/register_block.cl",
    .shared_files = {"transpose/lines.cl"},
    .parameters =
        {
            {"tile_m", {}, "rows of the tile of A", {16, 32, 64, 128, 256, 1024}},
            {"tile_n", {}, "columns of the tile of A", {16, 32, 64, 128, 256, 1024}},
            {"vector", {}, "rows and columns of a block", {1, 2, 4, 8, 16}},
            {"along_b", {}, "the blocks of a tile come along the rows of 0: A, 1: B", {0, 1}},
            {"stream", {}, "1: whole lines of B go past the caches", {0, 1}},
        },
    .strategies = {{{"stream", 1}}},
    .constraints = constraints(),
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"], c["vector"]}, {c["tile_n"], c["vector"]}};
    },
    .unsupported = only_out_of_place,
    .preferences =
        [](Problem p, Profile d) {
          const std::int64_t vector = native_vector(p, d);
          const std::int64_t tile = p.type.bytes() < 4 ? 128 : 64;
          return std::vector<Configuration>{{{"tile_m", tile},
                                             {"tile_n", tile},
                                             {"vector", vector},
                                             {"along_b", 0},
                                             {"stream", streams(p, d, vector) ? 1 : 0}}};
        },
    .extra_defines = [](Config c, Problem p) { return line_defines(p, c["vector"]); },
    .private_bytes = [](Config c, Problem p, Profile) { return bytes_of_elements(p, 2 * c["vector"] * c["vector"]); },
    .launches = [](Config c, Problem p, Profile) { return launch_over_tiles(p, c["tile_m"], c["tile_n"], 1); },
};

}  // namespace tilewright::detail
