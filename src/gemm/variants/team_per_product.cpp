#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "gemm/variants/wave_time.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail::gemm_variants {
namespace team_per_product_parts {
namespace {

struct Team {
  std::int64_t team, item_m, item_n, limit = 0;
};

using Config = const Team&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

// Elements of a step of k of both operands in local memory.
std::uint64_t step_of(Config c, Problem p) {
  const auto odd = [](std::uint64_t lines, std::int64_t block) {
    return (ceil_div(lines, block) | 1) * static_cast<std::uint64_t>(block);
  };
  return odd(p.m, c.item_m) + odd(p.n, c.item_n);
}

// Elements of local memory: all of both operands, or about as many as the limit says, but at least one step. A power of
// two, so that products of similar sizes share a program.
std::uint64_t capacity(Config c, Problem p) {
  constexpr std::uint64_t least = 256, alignment = 8;  // of B
  const std::uint64_t step = step_of(c, p), all = step * std::max<std::uint64_t>(1, p.k);
  return std::bit_ceil(
      std::max({least, step + alignment, std::min(all + alignment, static_cast<std::uint64_t>(c.limit))}));
}

std::uint64_t local_bytes(Config c, Problem p) { return capacity(c, p) * accumulator_bytes(p.type); }

// Whether one group computes a product in reasonable time.
bool is_small(Problem p) {
  constexpr double most_elements = 1 << 16, most_work = 1 << 28;
  const double elements = static_cast<double>(p.m) * static_cast<double>(p.n);
  return elements <= most_elements && elements * static_cast<double>(p.k) <= most_work;
}

// Cycles of a team. A compute unit's local memory serves 32 words of 4 bytes per cycle, and its work-items multiply 128
// such numbers.
GroupTime time_of(Config c, Problem p, Profile d) {
  const WaveConstants::Teams& constants = constants_of(d).teams;
  const auto of = [](auto count) { return static_cast<double>(count); };
  const double words = of(accumulator_bytes(p.type)) / 4, warps = of(c.team) / 32;
  const double turns = of(ceil_div(ceil_div(p.m, c.item_m) * ceil_div(p.n, c.item_n), c.team));
  const double reads = of(c.item_m + c.item_n), sums = of(c.item_m * c.item_n);
  const double elements = of((p.m + p.n) * std::max<std::uint64_t>(1, p.k));
  const double registers = of(c.team) * (words * (sums + reads) + 40);
  const double memory = of(std::max(d.local_memory_bytes, d.static_local_memory_bytes));
  const double groups = std::min({65536 / registers, 2048 / of(c.team), memory / of(local_bytes(c, p)), 32.0});
  const double copies = step_of(c, p) * std::max<std::uint64_t>(1, p.k) < capacity(c, p) ? 1 : turns;
  return {.step = turns * warps * (constants.read * words * reads + constants.multiply_add * words * sums),
          .alone = turns * constants.alone * words * reads + constants.copied_alone * of(p.m + p.n) / of(c.team),
          .start = constants.start,
          .finish = words / 32 * (constants.copied * copies * elements + constants.stored * of(p.m * p.n)),
          .at_once = std::max(1.0, std::floor(groups)),
          .reads = of(p.m + p.n),
          .read_rate = 1e9,
          .launches = {}};
}

constexpr Team candidates[] = {{.team = 32, .item_m = 2, .item_n = 2},  {.team = 32, .item_m = 2, .item_n = 4},
                               {.team = 32, .item_m = 4, .item_n = 4},  {.team = 64, .item_m = 4, .item_n = 4},
                               {.team = 64, .item_m = 8, .item_n = 4},  {.team = 128, .item_m = 4, .item_n = 2},
                               {.team = 128, .item_m = 4, .item_n = 4}, {.team = 128, .item_m = 8, .item_n = 4},
                               {.team = 256, .item_m = 2, .item_n = 4}, {.team = 256, .item_m = 4, .item_n = 4}};

// The fastest candidates first, then one that takes little local memory.
std::vector<ParameterValues> preferences(Problem p, Profile d) {
  std::vector<TimedCandidate> all;
  for (Team team : candidates) {
    team.limit = static_cast<std::int64_t>(65536 / accumulator_bytes(p.type));
    all.push_back({team, time_of(team, p, d), TileGroups{1, 0}, DivisionRules{.least = 0}});
  }
  std::vector<ParameterValues> result = fastest(all, p, d);
  result.emplace_back(Team{.team = 1, .item_m = 4, .item_n = 4, .limit = 1024});
  return result;
}

}  // namespace

constexpr GemmVariant variant{
    .name = "team_per_product",
    .summary = "for batches of small products: a team of work-items computes a whole product from local memory",
    .program = {.file = "gemm/team_per_product.cl",
                .launch_parameters = {&Team::limit},
                .extra_defines = [](Config c, Problem p) { return define("CAPACITY", capacity(c, p)); }},
    .parameters =
        {
            {"team", &Team::team, "work-items per product", {16, 32, 64, 128, 256}},
            {"item_m", &Team::item_m, "rows of C of a work-item", {1, 2, 4, 8}},
            {"item_n", &Team::item_n, "columns of C of a work-item", {1, 2, 4, 8}},
            {"limit", &Team::limit, "elements of local memory, about, if A and B have more", {1024, 4096, 8192, 16384}},
        },
    .constraints = {{"item_m and item_n are 1, 2, 4 or 8",
                     "local memory is aligned for vectors of so many elements",
                     {&Team::item_m, &Team::item_n},
                     [](Config c, Problem, Profile) {
                       return is_vector_width(c.item_m) && is_vector_width(c.item_n) && c.item_m <= 8 && c.item_n <= 8;
                     }}},
    .preferences = preferences,
    .edges = [](const Team& c) -> Edges {
      return {{c.item_m, 2 * c.item_m}, {c.item_n, 2 * c.item_n}, {c.team}};
    },
    .needs = {.unsupported = [](Problem p, Profile) -> std::string {
      return is_small(p) ? ""
                         : "a work-group computes a whole product, so C has at most 65536 elements and takes 2^28 "
                           "multiply-adds";
    }},
    .memory = {.local_bytes = [](Config c, Problem p) { return local_bytes(c, p); },
               .private_bytes =
                   [](Config c, Problem p, Profile d) {
                     const auto sums = static_cast<std::uint64_t>(c.item_m * c.item_n);
                     return kept_across_barriers(d, c.team, sums * accumulator_bytes(p.type), 1);
                   },
               .static_local_memory = true},
    .execution = [](Config c, Problem p, Profile d) -> Execution {
      const auto team = static_cast<std::size_t>(c.team);
      Execution execution{
          .launches = {{.kernel = "gemm", .arguments = gemm_arguments(p), .global = {team, 1}, .local = {team, 1}}}};
      if (has_wave_times(d) && products_of(p) > 1)
        execution.cycles = divide(time_of(c, p, d), {1, 0}, {.least = 0}, p, d).cycles;
      return execution;
    },
};

}  // namespace team_per_product_parts

extern constexpr GemmVariant team_per_product = team_per_product_parts::variant;

}  // namespace tilewright::detail::gemm_variants
