#include <algorithm>
#include <charconv>

#include "gemm/variant.hpp"
#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {

extern const GemmVariant async_tile;
namespace {

using Config = const Configuration&;
using Problem = const GemmProblem&;
using Profile = const DeviceProfile&;

constexpr std::int64_t vector = 4;           // floats of 16 bytes
constexpr std::int64_t warp = 32;            // work-items that run in step
constexpr std::int64_t run = 8;              // RUN in the kernel file
constexpr std::int64_t add_items = 128;      // ADD_ITEMS in the kernel file
constexpr std::int64_t registers = 1 << 16;  // of a compute unit, from compute capability 8.0 to 12.0

std::int64_t items(Config c) { return c["tile_m"] / c["item_m"] * (c["tile_n"] / c["item_n"]); }
std::int64_t tile_elements(Config c) { return c["tile_m"] * c["tile_n"]; }
bool is_power_of_two(std::int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

// What the compiler gives a work-item, about: its block, two steps of operands, addresses.
std::int64_t item_registers(Config c) { return c["item_m"] * c["item_n"] + 3 * (c["item_m"] + c["item_n"]) + 16; }

std::uint64_t local_bytes(Config c, Problem p) {
  const std::int64_t a_stride = c["tile_m"] + (p.trans_a == Transpose::yes ? 0 : vector);
  const std::int64_t b_stride = c["tile_n"] + (p.trans_b == Transpose::yes ? vector : 0);
  return static_cast<std::uint64_t>(c["stages"] * c["tile_k"] * (a_stride + b_stride)) * size_of(p.type);
}

// Groups that a compute unit runs at once.
std::uint64_t groups_at_once(Config c) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, registers / (items(c) * item_registers(c))));
}

// Groups come in waves, as many as the device runs at once. Tiles of C that fill waves are computed by a group each;
// the others are divided along k into slices.
struct Division {
  std::uint64_t whole = 0, rest = 0;  // tiles
  std::uint64_t slices = 1;           // of each of the rest
  std::uint64_t slice = 1;            // tiles of k in one
  double waves = 0;                   // the expected time
};

Division divide(Config c, Problem p, Profile d) {
  constexpr std::uint64_t most_slices = 16;
  constexpr std::uint64_t least_depth = 128;  // steps of k of a slice
  constexpr double second_pass = 3e6;         // its time, in multiply-adds of a compute unit
  constexpr std::int64_t busy_items = 160;    // what a compute unit needs to be busy
  const std::uint64_t tiles = ceil_div(p.m, c["tile_m"]) * ceil_div(p.n, c["tile_n"]);
  const std::uint64_t products = std::max<std::uint64_t>(1, p.batch.count);
  const auto together = static_cast<double>(groups_at_once(c));
  const std::uint64_t at_once = groups_at_once(c) * d.compute_units;
  const double alone =
      std::min(1.0, std::max(1.0, static_cast<double>(busy_items) / static_cast<double>(items(c))) / together);
  const auto waves_of = [&](std::uint64_t count) {
    const std::uint64_t full = count / at_once;
    const std::uint64_t on_one = (count % at_once + d.compute_units - 1) / d.compute_units;
    return static_cast<double>(full) +
           (on_one > 0 ? std::clamp(static_cast<double>(on_one) / together, alone, 1.0) : 0);
  };
  const double work = together * static_cast<double>(tile_elements(c)) * static_cast<double>(p.k);  // of a unit a wave
  const double extra = second_pass / std::max(work, 1.0);

  Division result{.whole = tiles, .waves = waves_of(tiles * products)};
  if (products > 1) return result;  // fills its waves well enough
  const std::uint64_t whole = tiles / at_once * at_once;
  const std::uint64_t tiles_k = ceil_div(p.k, c["tile_k"]);
  for (std::uint64_t wanted = 2; wanted <= std::min(most_slices, p.k / least_depth); ++wanted) {
    const std::uint64_t slice = (tiles_k + wanted - 1) / wanted;
    const std::uint64_t slices = (tiles_k + slice - 1) / slice;
    const double part = static_cast<double>(slice) / static_cast<double>(tiles_k);
    const double waves = waves_of(whole) + waves_of((tiles - whole) * slices) * part + extra;
    if (waves < result.waves - 0.005)
      result = {.whole = whole, .rest = tiles - whole, .slices = slices, .slice = slice, .waves = waves};
  }
  return result;
}

// Configurations, largest tile first, and the speed of full waves in TFLOP/s: measured on an H200 with n = 4096,
// except that of the last, which is estimated.
struct Candidate {
  std::int64_t tile_m, tile_n, item_m, item_n, stages, pace;
  double speed;

  Configuration configuration() const {
    return {{"tile_m", tile_m}, {"tile_n", tile_n}, {"tile_k", 16},     {"item_m", item_m}, {"item_n", item_n},
            {"sub_m", 8},       {"sub_n", 4},       {"stages", stages}, {"pace", pace},     {"swizzle", 8}};
  }
};
constexpr Candidate candidates[] = {
    {.tile_m = 128, .tile_n = 256, .item_m = 8, .item_n = 16, .stages = 2, .pace = 2, .speed = 54.1},
    {.tile_m = 128, .tile_n = 128, .item_m = 8, .item_n = 16, .stages = 2, .pace = 2, .speed = 53.5},
    {.tile_m = 64, .tile_n = 256, .item_m = 8, .item_n = 16, .stages = 2, .pace = 2, .speed = 52.7},
    {.tile_m = 64, .tile_n = 128, .item_m = 8, .item_n = 16, .stages = 2, .pace = 2, .speed = 52.5},
    {.tile_m = 64, .tile_n = 128, .item_m = 8, .item_n = 8, .stages = 2, .pace = 1, .speed = 50.8},
    {.tile_m = 64, .tile_n = 64, .item_m = 8, .item_n = 8, .stages = 2, .pace = 1, .speed = 48.1},
    {.tile_m = 64, .tile_n = 64, .item_m = 8, .item_n = 4, .stages = 2, .pace = 1, .speed = 40.5},
    {.tile_m = 32, .tile_n = 64, .item_m = 4, .item_n = 4, .stages = 4, .pace = 1, .speed = 30.1},
    {.tile_m = 32, .tile_n = 32, .item_m = 4, .item_n = 4, .stages = 4, .pace = 1, .speed = 28.0},
};

// The candidates, the one with the shortest expected time first.
std::vector<Configuration> preferences(Problem p, Profile d) {
  std::vector<std::pair<double, Configuration>> expected;
  for (const Candidate& candidate : candidates) {
    Configuration c = candidate.configuration();
    // Turning an operand costs least where the tile is short on its side.
    if (p.trans_b == Transpose::yes && candidate.tile_m < candidate.tile_n)
      c.merge({{"tile_m", candidate.tile_n}, {"tile_n", candidate.tile_m}});
    if (p.trans_a == Transpose::no && p.trans_b == Transpose::no && c["tile_m"] == 128 && c["tile_n"] == 256)
      c.merge({{"pace", 1}});
    const double wave = static_cast<double>(groups_at_once(c)) * static_cast<double>(tile_elements(c));
    expected.emplace_back(divide(c, p, d).waves * wave / candidate.speed, std::move(c));
  }
  std::stable_sort(expected.begin(), expected.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  // Tiles so few that they leave half of the device idle: smaller ones, whatever their speed.
  const std::uint64_t products = std::max<std::uint64_t>(1, p.batch.count);
  if (2 * ceil_div(p.m, 32) * ceil_div(p.n, 64) * products <= d.compute_units && p.k < 1024)
    std::stable_partition(expected.begin(), expected.end(), [](const auto& x) { return x.second["tile_n"] == 32; });
  std::vector<Configuration> result;
  result.reserve(expected.size());
  for (auto& [time, configuration] : expected) result.push_back(std::move(configuration));
  return result;
}

std::string unsupported(Problem, Profile d) {
  if (!quirks_of(d.vendor).takes_ptx) return "it is written in PTX, which only NVIDIA's driver takes";
  int capability = 0;  // 90 of "sm_90"
  const std::string& architecture = d.architecture;
  if (architecture.starts_with("sm_"))
    std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), capability);
  if (capability < 80)
    return "asynchronous copies need compute capability 8.0, and the device is " +
           (architecture.empty() ? std::string("unknown") : architecture);
  return {};
}

}  // namespace

const GemmVariant async_tile{
    .name = "async_tile",
    .summary = "register_blocked fed by asynchronous copies, the last tiles divided along k: for NVIDIA",
    .file = "gemm/async_tile.cl",
    .shared_files = {"common/ptx_memory.cl", "gemm/tile_order.cl"},
    .parameters =
        {
            {"tile_m", "rows of the tile of C", {32, 64, 128, 256}},
            {"tile_n", "columns of the tile of C", {32, 64, 128, 256}},
            {"tile_k", "depth of the tiles of A and B", {8, 16, 32}},
            {"item_m", "rows of one work-item's block", {4, 8, 16}},
            {"item_n", "columns of one work-item's block", {4, 8, 16}},
            {"sub_m", "rows of a sub-tile of consecutive work-items", {2, 4, 8, 16}},
            {"sub_n", "columns of a sub-tile of consecutive work-items", {2, 4, 8, 16}},
            {"stages", "local tiles of each operand", {2, 3, 4}},
            {"pace", "copies of an item per step of k, at least", {1, 2, 4}},
            {"swizzle", "tile rows of a band in the order of groups", {1, 4, 8, 16}},
        },
    .strategies = {},
    .constraints =
        {
            {"tile_m, tile_n, item_m and item_n are powers of two, a group has 32 work-items at least, tile_k is 8, 16 "
             "or 32",
             "the copies of a tile divide evenly among the work-items",
             [](Config c, Problem, Profile) {
               return is_power_of_two(c["tile_m"]) && is_power_of_two(c["tile_n"]) && is_power_of_two(c["item_m"]) &&
                      is_power_of_two(c["item_n"]) && c["tile_m"] >= c["item_m"] && c["tile_n"] >= c["item_n"] &&
                      items(c) >= warp && (c["tile_k"] == 8 || c["tile_k"] == 16 || c["tile_k"] == 32);
             }},
            {"item_m and item_n are multiples of 4", "local memory is read in vectors of 4",
             [](Config c, Problem, Profile) { return c["item_m"] % vector == 0 && c["item_n"] % vector == 0; }},
            {"sub_m divides tile_m / item_m, sub_n divides tile_n / item_n", "sub-tiles do not cross tiles",
             [](Config c, Problem, Profile) {
               return c["tile_m"] / c["item_m"] % c["sub_m"] == 0 && c["tile_n"] / c["item_n"] % c["sub_n"] == 0;
             }},
            {"tile_m and tile_n are multiples of an eighth of the work-items of a group, and times tile_k of 4 for "
             "each",
             "every work-item copies the same number of vectors, or of elements where a tile is transposed",
             [](Config c, Problem, Profile) {
               return std::min(c["tile_m"], c["tile_n"]) >= items(c) / run &&
                      std::min(c["tile_m"], c["tile_n"]) * c["tile_k"] >= vector * items(c);
             }},
            {"stages is 2 at least, and 8 at most", "copies arrive in one local tile while another is read",
             [](Config c, Problem, Profile) { return c["stages"] >= 2 && c["stages"] <= 8; }},
            {"item_m item_n <= 128, and a compute unit has the registers of a work-group",
             "what does not fit is spilled to memory",
             [](Config c, Problem, Profile) {
               return c["item_m"] * c["item_n"] <= 128 && items(c) * item_registers(c) <= registers;
             }},
            {"tile_m tile_n is 512 at least", "the slices of a tile are added by groups of 128 work-items",
             [](Config c, Problem, Profile) { return tile_elements(c) >= add_items * vector; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"], c["tile_m"] * c["swizzle"]}, {c["tile_n"]}, {c["tile_k"], c["tile_k"] * c["stages"]}};
    },
    .types = {DataType::f32},
    .why_no_other_type = "it is written for single precision",
    .unsupported = unsupported,
    .preferences = preferences,
    .extra_defines =
        [](Config, Problem p) {
          const auto width = [&](const StoredMatrix& matrix) {
            return std::to_string(rows_in_vectors(matrix, p.offset_alignment, vector) ? vector : 1);
          };
          return " -DREAD_A=" + width(stored_a(p)) + " -DREAD_B=" + width(stored_b(p)) +
                 " -DSTORE_C=" + width(stored_c(p));
        },
    .local_bytes = local_bytes,
    .private_bytes = [](Config c, Problem p,
                        Profile) { return static_cast<std::uint64_t>(item_registers(c)) * size_of(p.type); },
    .static_local_memory = true,
    .workspaces =
        [](Config c, Problem p, Profile d) {
          std::vector<Workspace> result;
          if (const Division division = divide(c, p, d); division.rest > 0)
            result.push_back({.bytes = bytes_of(division.rest * division.slices,
                                                static_cast<std::uint64_t>(tile_elements(c)), size_of(p.type))});
          return result;
        },
    .launches =
        [](Config config, Problem p, Profile d) {
          using namespace argument;
          const Division division = divide(config, p, d);
          const bool divided = division.rest > 0;
          const std::uint64_t count = division.whole + division.rest * division.slices;
          const auto group = static_cast<std::size_t>(items(config));
          Launch product{.kernel = "gemm",
                         .arguments = gemm_arguments(p),
                         .global = {static_cast<std::size_t>(count) * group},
                         .local = {group},
                         .work_per_group = static_cast<double>(p.k) *
                                           static_cast<double>(division.whole + division.rest) /
                                           static_cast<double>(std::max<std::uint64_t>(1, count))};
          for (const std::uint64_t value : {division.whole, division.slices, division.slice})
            product.arguments.push_back(index(value));
          if (!divided) {
            product.arguments.push_back(c);  // not used
            return std::vector<Launch>{std::move(product)};
          }
          product.arguments.push_back(workspace(0));
          return std::vector<Launch>{std::move(product),
                                     {.kernel = "split_k_reduction",
                                      .arguments = {index(p.m), index(p.n), alpha, beta, c, index(p.ldc),
                                                    index(division.whole), index(division.slices), workspace(0), batch},
                                      .global = {static_cast<std::size_t>(tile_elements(config) / vector),
                                                 static_cast<std::size_t>(division.rest)},
                                      .local = {add_items, 1}}};
        },
};

}  // namespace tilewright::detail
