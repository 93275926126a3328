#include "transpose/variants/vector_tiles.hpp"

#include <bit>

namespace tilewright::detail {
namespace {

using Config = const Configuration&;
using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

std::int64_t blocks(Config c) { return c["tile_m"] / c["vector"] * (c["tile_n"] / c["vector"]); }

Configuration tile(std::int64_t m, std::int64_t n, std::int64_t vector, std::int64_t wg) {
  return {{"tile_m", m}, {"tile_n", n}, {"vector", vector}, {"wg", wg}};
}

Configuration of_element(Problem p) {
  switch (p.type.bytes()) {
    case 1:
      return tile(128, 128, 8, 256);
    case 2:
      return tile(128, 64, 4, 256);
    case 4:
      return tile(64, 64, 4, 256);
    case 8:
      return tile(32, 64, 2, 256);
    default:
      return tile(32, 32, 1, 256);
  }
}

}  // namespace

ParameterList vector_tile_parameters() {
  return {{"tile_m", {}, "rows of the tile of A", {8, 16, 32, 64, 128}},
          {"tile_n", {}, "columns of the tile of A", {8, 16, 32, 64, 128}},
          {"vector", {}, "elements of a line, and lines of a block", {1, 2, 4, 8}},
          {"wg", {}, "work-items of a group", {32, 64, 128, 256, 512}}};
}

Edges vector_tile_edges(const Configuration& c) { return {{c["tile_m"], c["vector"]}, {c["tile_n"], c["vector"]}}; }

std::vector<Constraint<TransposeProblem>> vector_tile_constraints() {
  return {
      {"vector is 1, 2, 4, 8 or 16",
       "OpenCL C has no other vectors",
       {"vector"},
       [](Config c, Problem, Profile) { return is_vector_width(c["vector"]); }},
      {"vector is 1 if elements have 16 bytes",
       "such elements are vectors already",
       {"vector"},
       [](Config c, Problem p, Profile) { return p.type.bytes() < 16 || c["vector"] == 1; }},
      {"tile_m and tile_n are multiples of vector",
       "blocks do not cross tiles",
       {"tile_m", "tile_n", "vector"},
       [](Config c, Problem, Profile) { return c["tile_m"] % c["vector"] == 0 && c["tile_n"] % c["vector"] == 0; }},
      {"tile_m / vector is a power of two",
       "an exclusive or spreads lines over the banks",
       {"tile_m", "vector"},
       [](Config c, Problem, Profile) {
         return std::has_single_bit(static_cast<std::uint64_t>(c["tile_m"] / c["vector"]));
       }},
      {"the blocks of a tile are a multiple of wg",
       "every work-item moves the same number of them",
       {"tile_m", "tile_n", "vector", "wg"},
       [](Config c, Problem, Profile) { return blocks(c) % c["wg"] == 0; }},
      {"a work-item moves at most 64 lines",
       "they are in its registers",
       {"tile_m", "tile_n", "vector", "wg"},
       [](Config c, Problem, Profile) { return blocks(c) / c["wg"] * c["vector"] <= 64; }},
  };
}

std::vector<Configuration> vector_tile_preferences(Problem p, Profile) {
  const std::int64_t vector = of_element(p)["vector"];
  return {of_element(p), tile(8 * vector, 8 * vector, vector, 64), tile(8, 8, 1, 1)};
}

std::string vector_tile_defines(Config c, Problem p) { return line_defines(p, c["vector"]); }

std::uint64_t vector_tile_bytes(Config c, Problem p) { return bytes_of_elements(p, c["tile_m"] * c["tile_n"]); }

std::uint64_t vector_tile_private_bytes(Config c, Problem p, Profile d) {
  const std::int64_t lines = blocks(c) / c["wg"] * c["vector"];
  return kept_across_barriers(d, c["wg"], bytes_of_elements(p, 2 * c["vector"] * c["vector"]), 2 * lines);
}

}  // namespace tilewright::detail
