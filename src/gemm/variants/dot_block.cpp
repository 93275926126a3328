#include <algorithm>
#include <initializer_list>

#include "gemm/variants/split_k.hpp"

namespace tilewright::detail::gemm_variants {
namespace dot_block_parts {
namespace {

struct Block {
  std::int64_t item_m, item_n, vector_k, block_k, group_m, slice_k;
};

using Config = const Block&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

// An operand whose stored rows do not run along k is packed.
bool packs_a(Problem p) { return p.trans_a == Transpose::yes; }
bool packs_b(Problem p) { return p.trans_b == Transpose::no; }

// Number of copies of an operand: one if all products of a batch use the same matrix.
std::uint64_t copies(Problem p, std::uint64_t stride) {
  return !p.batch.by_offsets && stride == 0 ? 1 : products_of(p);
}

// How C, and k if C is small, is divided among work-groups.
struct Division {
  std::uint64_t group_n;
  TileGroups tiles;
  Slices slices;
};

// Groups are as wide as possible while every compute unit has several, so that none waits long for the last one. They
// are not so many that starting them costs more than their work, and nearly equal in size. k is split if there are
// still too few groups, or if the rows of a group would not stay in L2 between columns.
Division divide(Config c, Problem p, Profile d) {
  constexpr std::size_t groups_per_unit = 8;
  constexpr double min_work = 2.5e5;  // multiply-adds
  constexpr double l2_bytes = 1 << 19;
  const auto products = static_cast<double>(products_of(p));
  const double work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  const double wanted_groups = std::min<double>(groups_per_unit * d.compute_units / products, work / min_work);
  const std::uint64_t tiles_m = ceil_div(std::max<std::uint64_t>(1, p.m), c.group_m);
  const std::uint64_t blocks = ceil_div(std::max<std::uint64_t>(1, p.n), c.item_n);
  const auto tiles_n = static_cast<std::uint64_t>(
      std::clamp(wanted_groups / static_cast<double>(tiles_m), 1.0, static_cast<double>(blocks)));
  const std::uint64_t along =
      std::min((blocks + tiles_n - 1) / tiles_n, static_cast<std::uint64_t>(largest_tile / c.item_n));
  Division result{.group_n = along * static_cast<std::uint64_t>(c.item_n),
                  .tiles = {tiles_m * ((blocks + along - 1) / along), 0},
                  .slices = {1, static_cast<std::int64_t>(std::max<std::uint64_t>(1, p.k))}};
  if (d.type != DeviceType::cpu) return result;
  const double few = 2.0 * d.compute_units / (products * static_cast<double>(result.tiles.tiles));
  const double rows = static_cast<double>(std::min(p.m, static_cast<std::uint64_t>(c.group_m)));
  const double bytes = rows * static_cast<double>(p.k) * static_cast<double>(accumulator_bytes(p.type));
  const double wanted = std::max(few >= 2 ? few : 1, bytes / l2_bytes);
  result.slices = split_k(p, 1, products * wanted, c.slice_k, c.vector_k);
  return result;
}

// The element of `numbers` of which a multiple exceeds `count` least; the first of equals.
std::int64_t fitting(std::uint64_t count, std::initializer_list<std::int64_t> numbers) {
  return std::min(numbers, [&](std::int64_t left, std::int64_t right) {
    return rounded_up(count, left) < rounded_up(count, right);
  });
}

// The block uses as many vector registers as fit: 24 of AVX-512's 32, or 12 of the 16 or more of other CPUs. Its shape
// fills the shorter side of C. Six columns of a block of k leave room in an L1 cache of 32 KB. Rows that are used for
// few columns should be in L2 for the next ones. If the short side is one or two, the larger operand is used once. Its
// short rows are then read one after another, in memory order, in vectors of half a register; several at a time took
// twice as long. Measured on PoCL.
Block preferred(Problem p, Profile d) {
  constexpr std::uint64_t block_bytes = 4096;  // per row
  const std::int64_t native = native_vector_width(d, accumulator_of(p.type));
  std::int64_t vector = is_vector_width(native) ? native : 4;
  const bool in_turn = std::min(p.m, p.n) <= 2 && p.k * accumulator_bytes(p.type) <= block_bytes;
  const std::int64_t sums = static_cast<std::size_t>(vector) * accumulator_bytes(p.type) >= 64 ? 24 : 12;
  if (in_turn && vector > 4) vector /= 2;
  while (vector > 1 && static_cast<std::uint64_t>(vector) > p.k) vector /= 2;
  const bool few_rows = p.m <= p.n;
  std::int64_t item_m = 0, item_n = 0;
  if (few_rows) {
    item_m = p.m <= 2 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(p.m)) : fitting(p.m, {4, 3});
    item_n = in_turn && p.k >= 64 ? 1 : std::min<std::int64_t>(8, sums / item_m);
  } else {
    item_n = p.n <= 2 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(p.n)) : fitting(p.n, {6, 4, 3});
    item_m = in_turn ? 1 : std::min<std::int64_t>(8, sums / item_n);
  }
  return {.item_m = item_m,
          .item_n = item_n,
          .vector_k = vector,
          .block_k = static_cast<std::int64_t>(block_bytes / accumulator_bytes(p.type)),
          .group_m = few_rows || in_turn ? 96 : 24,
          .slice_k = 256};
}

}  // namespace

constexpr GemmVariant variant{
    .name = "dot_block",
    .summary = "blocks of dot products of stored rows, one work-item per work-group: for CPUs",
    .program = {.file = "gemm/dot_block.cl",
                .shared_files = {"gemm/split_k.cl", split_k_reduction_file},
                .launch_parameters = {&Block::slice_k}},
    .parameters =
        {
            {"item_m", &Block::item_m, "rows of a block of C", {1, 2, 3, 4, 5, 6, 8}},
            {"item_n", &Block::item_n, "columns of a block of C", {1, 2, 3, 4, 5, 6, 8}},
            {"vector_k", &Block::vector_k, "elements per vector", {2, 4, 8, 16}},
            {"block_k", &Block::block_k, "steps of k before the next block of C", {256, 512, 1024}},
            {"group_m", &Block::group_m, "rows of C per work-group", {24, 48, 96, 192}},
            {"slice_k", &Block::slice_k, "minimum slice if k is split for lack of work-groups", {32, 256, 1024}},
        },
    .constraints =
        {
            {"vector_k is 1, 2, 4, 8 or 16",
             "OpenCL C has no other vectors",
             {&Block::vector_k},
             [](Config c, Problem, Profile) { return is_vector_width(c.vector_k); }},
            {"block_k is a multiple of vector_k",
             "only the last steps of k may be less than a vector",
             {&Block::block_k, &Block::vector_k},
             [](Config c, Problem, Profile) { return c.block_k % c.vector_k == 0; }},
            {"item_m item_n <= 64",
             "more vectors do not fit into registers",
             {&Block::item_m, &Block::item_n},
             [](Config c, Problem, Profile) { return c.item_m * c.item_n <= 64; }},
        },
    .preferences = [](Problem p, Profile d) -> std::vector<ParameterValues> {
      const Block best = preferred(p, d);
      Block small = best;
      small.item_m = small.item_n = small.vector_k = 2;
      small.group_m = 24;
      return {best, small};
    },
    .edges = [](const Block& c) -> Edges {
      return {{c.item_m, c.group_m}, {c.item_n}, {c.vector_k, c.block_k, c.slice_k}};
    },
    .memory = {.private_bytes =
                   [](Config c, Problem p, Profile) {
                     const std::uint64_t blocks = ceil_div(static_cast<std::uint64_t>(c.group_m), c.item_m) + 2;
                     return blocks * static_cast<std::uint64_t>(c.item_m * c.item_n * c.vector_k) *
                            accumulator_bytes(p.type);
                   }},
    .execution =
        [](Config config, Problem p, Profile d) {
          using namespace gemm_slots;
          const Division division = divide(config, p, d);
          Execution execution = in_slices(p, d, division.tiles, 1, division.slices);
          Launch& product = execution.launches.front();
          product.work_per_group = static_cast<double>(config.group_m) * static_cast<double>(division.group_n) *
                                   static_cast<double>(division.slices.length);
          product.arguments.push_back(index(division.group_n));

          std::vector<Launch> packings;
          const auto pack = [&](const char* kernel, KernelArgument input, std::uint64_t lines, std::uint64_t ld,
                                std::uint64_t stride, bool packs) {
            const bool shared = copies(p, stride) == 1;
            const std::uint64_t packed_stride = packs && !shared ? lines * p.k : 0;
            product.arguments.push_back(offset(packed_stride));
            if (!packs) return;
            const std::uint64_t place = execution.workspaces.size();
            execution.workspaces.push_back(
                {.bytes = bytes_of(copies(p, stride) * lines, p.k, accumulator_bytes(p.type))});
            packings.push_back({.kernel = kernel,
                                .arguments = {index(lines), index(p.k), input, index(ld), workspace(place),
                                              offset(packed_stride), batch},
                                .global = {std::max<std::size_t>(1, ceil_div(p.k, config.block_k)), 1},
                                .local = {1, 1},
                                .packs = Packing{input.value, place, "lines along k"},
                                .shared = shared});
            const auto read = std::find(product.arguments.begin(), product.arguments.end(), input);
            read[0] = workspace(place);
            read[1] = index(p.k);
          };
          pack("pack_a", a, p.m, p.lda, p.batch.stride_a, packs_a(p));
          pack("pack_b", b, p.n, p.ldb, p.batch.stride_b, packs_b(p));
          execution.launches.insert(execution.launches.begin(), packings.begin(), packings.end());
          return execution;
        },
};

}  // namespace dot_block_parts

extern constexpr GemmVariant dot_block = dot_block_parts::variant;

}  // namespace tilewright::detail::gemm_variants
