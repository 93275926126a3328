#include <algorithm>
#include <cmath>
#include <iterator>

#include "gemm/variants/wave_time.hpp"
#include "kernels/build_options.hpp"
#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail::gemm_variants {
namespace async_tile_parts {
namespace {

using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

constexpr std::int64_t vector = 4;           // floats of 16 bytes
constexpr std::int64_t warp = 32;            // work-items that run in lockstep
constexpr std::int64_t run = 8;              // RUN in async_tile_copies.cl
constexpr std::int64_t add_items = 128;      // ADD_ITEMS in async_tile_store.cl
constexpr std::int64_t registers = 1 << 16;  // per compute unit, for compute capability 8.0 to 12.0

struct Block {
  std::int64_t tile_m, tile_n, tile_k, item_m, item_n, sub_m, sub_n, stages, pace, swizzle = 8;

  std::int64_t items() const { return tile_m / item_m * (tile_n / item_n); }
  std::int64_t elements() const { return tile_m * tile_n; }
  // Approximate registers per work-item: its block, two steps of operands, addresses.
  std::int64_t item_registers() const { return item_m * item_n + 3 * (item_m + item_n) + 16; }
};
using Config = const Block&;

// A warp's work-items are close together along both sides.
constexpr Block block(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k, std::int64_t item_m,
                      std::int64_t item_n, std::int64_t stages, std::int64_t pace) {
  const std::int64_t sub_m = std::min<std::int64_t>(8, tile_m / item_m);
  return {.tile_m = tile_m,
          .tile_n = tile_n,
          .tile_k = tile_k,
          .item_m = item_m,
          .item_n = item_n,
          .sub_m = sub_m,
          .sub_n = std::min(warp / sub_m, tile_n / item_n),
          .stages = stages,
          .pace = pace};
}

Block transposed(Config c) { return block(c.tile_n, c.tile_m, c.tile_k, c.item_n, c.item_m, c.stages, c.pace); }

// Whether the parameters that determine the time of a work-group are equal.
bool take_equal_time(Config x, Config y) {
  return x.tile_m == y.tile_m && x.tile_n == y.tile_n && x.tile_k == y.tile_k && x.item_m == y.item_m &&
         x.item_n == y.item_n && x.stages == y.stages;
}

// Configurations and the time of their work-groups if no operand is transposed or read by elements, fitted to timings
// on an H200.
struct Candidate {
  Block shape;
  GroupTime time;
};
constexpr Candidate candidates[] = {
    // tile_m, tile_n, tile_k, item_m, item_n, stages, pace    cycles of a step, alone; of start, finish; at once
    {block(128, 256, 16, 8, 16, 2, 2), {301.9, 176.4, 11845, 635, 1}},
    {block(128, 128, 16, 8, 16, 2, 2), {158.5, 328.6, 5279, 1850, 2}},
    {block(64, 128, 16, 8, 8, 2, 1), {81.7, 104.6, 1106, 1280, 3}},
    {block(32, 256, 16, 8, 8, 3, 1), {82.4, 101.8, 2891, 1505, 3}},
    {block(64, 64, 32, 4, 8, 2, 1), {44.9, 60.0, 1163, 716, 5}},
    {block(64, 64, 16, 4, 8, 3, 1), {46.1, 66.3, 2050, 627, 5}},
    {block(64, 64, 8, 4, 8, 2, 1), {49.3, 80.1, 2933, 108, 6}},
    {block(32, 128, 16, 4, 8, 3, 1), {46.1, 62.5, 1921, 617, 5}},
    {block(16, 128, 16, 4, 8, 4, 1), {24.8, 62.0, 1912, 537, 5}},
    {block(32, 64, 32, 4, 4, 3, 1), {28.1, 34.0, 1265, 352, 5}},
    {block(32, 32, 32, 4, 4, 3, 1), {15.0, 30.3, 1249, 270, 8}},
    {block(16, 64, 32, 4, 4, 3, 1), {15.9, 29.1, 2017, 294, 6}},
};

// Estimate for blocks without measured data: multiply-adds plus the local reads they cannot hide.
GroupTime estimated_time(Config b) {
  const auto items = static_cast<double>(b.items()), elements = static_cast<double>(b.elements());
  const double multiply = elements / 128, read = items / 64 * static_cast<double>(b.item_m + b.item_n) / 4;
  return {.step = multiply + std::max(0.0, read - 0.4 * multiply),
          .alone = 1.5 * static_cast<double>(b.item_m * b.item_n),
          .start = 2000,
          .finish = elements / 5,
          .at_once = std::max(
              1.0, std::floor(static_cast<double>(registers) / (items * static_cast<double>(b.item_registers()))))};
}

// Additional time per step of k of copying a line of A or B, compared with vectors along m or n. Multiply-adds of other
// groups, if there are any, hide most of it.
struct CopyTime {
  double transposed, transposed_elements, elements;
};
CopyTime copy_time_of(Config b, const GroupTime& time) {
  constexpr std::int64_t many_elements = 8192;  // elements of the tile of C
  if (time.at_once == 1) return {0.068, 0.068, 0.082};
  return b.elements() >= many_elements ? CopyTime{0.018, 0.026, 0.034} : CopyTime{0.053, 0.067, 0.034};
}

// `time` of a block plus the cost of the problem's operands.
GroupTime time_with(GroupTime time, Config b, Problem p, Profile d) {
  const WaveConstants::Table& c = constants_of(d).async_tile;
  time = scaled(time, c.factors);
  const CopyTime copy = copy_time_of(b, time);
  const auto copies = [&](bool along_k, const StoredMatrix& matrix, std::int64_t lines) {
    const bool in_vectors = rows_in_vectors(matrix, p.offset_alignment, vector);
    const double of_line =
        along_k ? (in_vectors ? copy.transposed : copy.transposed_elements) : (in_vectors ? 0 : copy.elements);
    return of_line * static_cast<double>(lines);
  };
  time.step += copies(p.trans_a == Transpose::no, stored_a(p), b.tile_m);
  time.step += copies(p.trans_b == Transpose::yes, stored_b(p), b.tile_n);
  if (!c_in_vectors(p, vector)) time.finish *= 2.29;  // C passes through local memory
  time.warps = static_cast<double>(b.items() / warp);
  time.reads = static_cast<double>(b.tile_m + b.tile_n);
  time.read_rate = c.read_rate;
  time.launches = c.launches;
  return time;
}

GroupTime time_of(Config b, Problem p, Profile d) {
  for (const auto& [shape, time] : candidates)
    if (take_equal_time(shape, b) || take_equal_time(transposed(shape), b)) return time_with(time, b, p, d);
  return time_with(estimated_time(b), b, p, d);
}

// Blocks that take all registers of a work-item slow the main loop by a tenth if groups add slices.
constexpr std::int64_t block_of_all_registers = 128;

DivisionRules rules_of(Config b, Problem p) {
  const bool single = p.batch.count <= 1;  // the kernel does not divide a batch
  return {.step = b.tile_k,
          .least = single ? shortest_slice : 0,
          .whole = WholeTiles::always,
          .groups_may_add = b.item_m * b.item_n < block_of_all_registers};
}

// The fastest candidates, as they are or with rows and columns exchanged, and a small one for devices with too little
// local memory for these.
std::vector<ParameterValues> preferences(Problem p, Profile d) {
  // If both orders seem equal, transposing B costs least if the tile is short on B's side.
  const bool transposed_first = p.trans_b == Transpose::yes;
  std::vector<TimedCandidate> all;
  all.reserve(2 * std::size(candidates));
  for (const auto& [shape, time] : candidates) {
    const auto add = [&, &given = time](Config b) {
      if (suits_range(b, p)) all.push_back({b, time_with(given, b, p, d), tile_groups(b, p), rules_of(b, p)});
    };
    const Block other = transposed(shape);
    add(transposed_first ? other : shape);
    if (!take_equal_time(other, shape)) add(transposed_first ? shape : other);
  }
  std::vector<ParameterValues> result = fastest(all, p, d);
  result.emplace_back(block(32, 32, 16, 4, 4, 4, 1));
  return result;
}

std::string unsupported(Problem, Profile d) {
  if (!quirks_of(d.vendor).takes_ptx) return "it is written in PTX, which only NVIDIA's driver accepts";
  if (nvidia_capability(d) < 80)
    return "asynchronous copies need compute capability 8.0, but the device is " +
           (d.architecture.empty() ? std::string("unknown") : d.architecture);
  return {};
}

}  // namespace

constexpr GemmVariant variant{
    .name = "async_tile",
    .summary = "register_blocked with asynchronous copies, the last tiles divided along k: for NVIDIA",
    .program = {.file = "gemm/async_tile.cl",
                .shared_files = {"common/ptx_memory.cl", "common/last_group.cl", "gemm/tile_order.cl",
                                 "gemm/k_range.cl", "gemm/split_k.cl", "gemm/store_rows.cl",
                                 "gemm/async_tile_copies.cl", "gemm/async_tile_stages.cl", "gemm/async_tile_store.cl"},
                .extra_defines =
                    [](Config, Problem p) {
                      // COPY_A and COPY_B of cl/gemm/async_tile_stages.cl.
                      const auto copy = [&](bool along_k, const StoredMatrix& matrix) -> std::int64_t {
                        return along_k ? 0 : rows_in_vectors(matrix, p.offset_alignment, vector) ? vector : 1;
                      };
                      return define("COPY_A", copy(p.trans_a == Transpose::no, stored_a(p))) +
                             define("COPY_B", copy(p.trans_b == Transpose::yes, stored_b(p))) +
                             define("STORE_C", c_in_vectors(p, vector) ? vector : 1);
                    }},
    .parameters =
        {
            {"tile_m", &Block::tile_m, "rows of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_n", &Block::tile_n, "columns of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_k", &Block::tile_k, "depth of the tiles of A and B", {8, 16, 32}},
            {"item_m", &Block::item_m, "rows of one work-item's block", {4, 8, 16}},
            {"item_n", &Block::item_n, "columns of one work-item's block", {4, 8, 16}},
            {"sub_m", &Block::sub_m, "rows of a sub-tile of consecutive work-items", {2, 4, 8, 16}},
            {"sub_n", &Block::sub_n, "columns of a sub-tile of consecutive work-items", {2, 4, 8, 16}},
            {"stages", &Block::stages, "local tiles of each operand", {2, 3, 4}},
            {"pace", &Block::pace, "minimum copies per work-item and step of k", {1, 2, 4}},
            {"swizzle", &Block::swizzle, "tile rows per band in the order of work-groups", {1, 4, 8, 16}},
        },
    .constraints =
        {
            {"tile_m, tile_n, item_m and item_n are powers of two, a group has at least 32 work-items, tile_k is 8, 16 "
             "or 32",
             "the copies of a tile divide evenly among the work-items",
             {&Block::tile_m, &Block::tile_n, &Block::tile_k, &Block::item_m, &Block::item_n},
             [](Config c, Problem, Profile) {
               return is_power_of_two(c.tile_m) && is_power_of_two(c.tile_n) && is_power_of_two(c.item_m) &&
                      is_power_of_two(c.item_n) && c.tile_m >= c.item_m && c.tile_n >= c.item_n && c.items() >= warp &&
                      (c.tile_k == 8 || c.tile_k == 16 || c.tile_k == 32);
             }},
            {"item_m and item_n are multiples of 4",
             "local memory is read in vectors of 4",
             {&Block::item_m, &Block::item_n},
             [](Config c, Problem, Profile) { return c.item_m % vector == 0 && c.item_n % vector == 0; }},
            {"sub_m divides tile_m / item_m, sub_n divides tile_n / item_n",
             "sub-tiles do not cross tiles",
             {&Block::tile_m, &Block::tile_n, &Block::item_m, &Block::item_n, &Block::sub_m, &Block::sub_n},
             [](Config c, Problem, Profile) {
               return c.tile_m / c.item_m % c.sub_m == 0 && c.tile_n / c.item_n % c.sub_n == 0;
             }},
            {"tile_m and tile_n are multiples of an eighth of the work-items of a group, and times tile_k of 4 for "
             "each",
             "every work-item copies the same number of vectors, or of elements of a transposed tile",
             {&Block::tile_m, &Block::tile_n, &Block::tile_k, &Block::item_m, &Block::item_n},
             [](Config c, Problem, Profile) {
               return std::min(c.tile_m, c.tile_n) >= c.items() / run &&
                      std::min(c.tile_m, c.tile_n) * c.tile_k >= vector * c.items();
             }},
            {"stages is 2 to 8",
             "copies arrive in one local tile while another is read",
             {&Block::stages},
             [](Config c, Problem, Profile) { return c.stages >= 2 && c.stages <= 8; }},
            {"item_m item_n <= 128, and a compute unit has the registers of a work-group",
             "sums that do not fit are spilled to memory",
             {&Block::tile_m, &Block::tile_n, &Block::item_m, &Block::item_n},
             [](Config c, Problem, Profile) {
               return c.item_m * c.item_n <= 128 && c.items() * c.item_registers() <= registers;
             }},
            {"tile_m tile_n >= 512",
             "slices are added in vectors of 4 by groups of 128 work-items",
             {&Block::tile_m, &Block::tile_n},
             [](Config c, Problem, Profile) { return c.tile_m * c.tile_n >= add_items * vector; }},
        },
    .preferences = preferences,
    .edges = [](const Block& c) -> Edges {
      return {{c.tile_m, c.tile_m * c.swizzle}, {c.tile_n}, {c.tile_k, c.tile_k * c.stages}};
    },
    .computes_part = [](const Block& c, const CoreProduct& p) { return leaves_out_tiles_or_steps(c, p); },
    .needs = {.types = {DataType::f32},
              .why_no_other_type = "it is written for single precision only",
              .unsupported = unsupported},
    .memory = {.local_bytes =
                   [](Config c, Problem p) {
                     const std::int64_t a_stride = c.tile_m + (p.trans_a == Transpose::yes ? 0 : vector);
                     const std::int64_t b_stride = c.tile_n + (p.trans_b == Transpose::yes ? vector : 0);
                     const std::int64_t ring = c.stages * c.tile_k * (a_stride + b_stride);
                     const std::int64_t staged =
                         c.tile_m / c.item_m * (c.tile_n + 16);  // one row of C per row of work-items
                     const bool is_staged = !c_in_vectors(p, vector);
                     return static_cast<std::uint64_t>(is_staged ? std::max(ring, staged) : ring) * size_of(p.type);
                   },
               .local_bytes_from = {&Block::tile_m, &Block::tile_n, &Block::tile_k, &Block::item_m, &Block::stages},
               .private_bytes =
                   [](Config c, Problem p, Profile) {
                     return static_cast<std::uint64_t>(c.item_registers()) * size_of(p.type);
                   },
               .static_local_memory = true},
    .execution =
        [](Config config, Problem p, Profile d) {
          using namespace gemm_slots;
          const Division division = divide(time_of(config, p, d), tile_groups(config, p), rules_of(config, p), p, d);
          const std::uint64_t count = division.whole + division.rest * division.slices;
          const auto group = static_cast<std::size_t>(config.items());
          Execution execution{.cycles = division.cycles};
          Launch& product = execution.launches.emplace_back(
              Launch{.kernel = "gemm",
                     .arguments = gemm_arguments(p),
                     .global = {static_cast<std::size_t>(count) * group},
                     .local = {group},
                     .work_per_group = static_cast<double>(p.k) * static_cast<double>(division.whole + division.rest) /
                                       static_cast<double>(std::max<std::uint64_t>(1, count))});
          const std::uint64_t tiles_of_slice = ceil_div(division.length, config.tile_k);
          for (const std::uint64_t value : {division.whole, division.slices, tiles_of_slice})
            product.arguments.push_back(index(value));
          if (division.rest == 0) {
            product.arguments.push_back(c);  // unused
            return execution;
          }
          product.arguments.push_back(workspace(0));
          execution.workspaces.push_back(
              {.bytes = bytes_of(division.rest * division.slices, static_cast<std::uint64_t>(config.elements()),
                                 size_of(p.type))});
          if (division.by_groups) {
            product.arguments.push_back(workspace(1));
            product.defines = define("LAST_GROUP", 1);
            execution.workspaces.push_back(
                {.kind = Workspace::Kind::tickets, .bytes = division.rest * sizeof(std::uint32_t)});
            return execution;
          }
          execution.launches.push_back(
              {.kernel = "split_k_reduction",
               .arguments = {index(p.m), index(p.n), alpha, beta, c, index(p.ldc), index(division.whole),
                             index(division.slices), workspace(0), batch, epilogue},
               .global = {static_cast<std::size_t>(config.elements() / vector),
                          static_cast<std::size_t>(division.rest)},
               .local = {add_items, 1}});
          return execution;
        },
    .execution_from = {&Block::tile_m, &Block::tile_n, &Block::tile_k, &Block::item_m, &Block::item_n, &Block::stages},
};

}  // namespace async_tile_parts

extern constexpr GemmVariant async_tile = async_tile_parts::variant;

}  // namespace tilewright::detail::gemm_variants
