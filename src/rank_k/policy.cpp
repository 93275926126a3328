#include "rank_k/policy.hpp"

#include <algorithm>
#include <limits>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "rank_k/steps.hpp"

namespace tilewright::detail {
namespace {

// Blocks are a multiple of this many rows, so that they start at whole vectors.
constexpr std::int64_t block_multiple = 16;

// Costs in real multiplications that take the same time.
struct Costs {
  double launch;
  double byte;             // moved between memory and kernels
  std::uint64_t smallest;  // rows of the smallest block that gemm multiplies efficiently
  std::uint64_t grid;      // least value of RankKShape::grid
};

// CPUs: a launch takes 20 to 50 us, and 2 cores multiply 50 numbers and move 15 bytes per ns.
constexpr Costs cpu{.launch = 2e6, .byte = 3, .smallest = 64, .grid = 2};
// GPUs: a launch takes 5 us, in which a large GPU makes 1e8 multiplications, or moves 12 MB. Its multiprocessors need
// many tiles at once, so squares of the lower levels are divided by one product.
constexpr Costs gpu{.launch = 1e8, .byte = 8, .smallest = 64, .grid = 8};
// A complex product expands its right factor for each square, so that a larger grid takes more memory.
constexpr std::uint64_t complex_grid = 4;
// Most squares of a grid that is larger than the least one: the host lists the offsets of each.
constexpr std::uint64_t most_squares = 1024;
// Most bytes of the blocks on the diagonal of one update. The smallest blocks may take more.
constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;

// The cost of an update in blocks of `block` rows. Blocks on the diagonal go through the workspace and compute both
// triangles, of which only the rank-2k updates need the second one. Small blocks waste less of both, but take more
// launches and read the factors more often.
double cost_of(const RankKSystem& system, const Costs& costs, std::uint64_t block, std::uint64_t grid) {
  const auto n = static_cast<double>(system.n), k = static_cast<double>(system.k), rows = static_cast<double>(block);
  const auto count = static_cast<double>(system.count), terms = static_cast<double>(system.terms.size());
  const auto element = static_cast<double>(size_of(system.type));
  const auto sum = static_cast<double>(accumulator_bytes(system.type));
  const double on_diagonal = n * rows, off_diagonal = n * (n - rows) / 2;
  const double products = (on_diagonal + terms * off_diagonal) * k * (is_complex(system.type) ? 4 : 1);
  // The workspace is written and read, and C is read and written.
  const double of_results =
      on_diagonal * ((system.is_mirrored() ? 2 : 1.5) * sum + element) + 2 * terms * off_diagonal * element;
  std::uint64_t blocks = ceil_div(system.n, static_cast<std::int64_t>(block));
  double readings = static_cast<double>(std::min(blocks, grid)) - 1;
  for (; blocks > grid; blocks = ceil_div(blocks, 2)) ++readings;
  const double of_factors = readings * terms * n * k * element;
  const auto launches = static_cast<double>(launch_count(system, block, grid));
  return launches * costs.launch + count * (products + (of_results + of_factors) * costs.byte);
}

}  // namespace

// With blocks, a rank-2k update can be one product T = op(A) op(B)^T, whose transpose the merge adds. Two products of
// the triangle multiply as much, but pack twice as many factors. They save the workspace, which counts if k is short or
// n large. Measured on PoCL.
bool prefers_triangles(const RankKSystem& system, const DeviceProfile& device) {
  constexpr std::uint64_t least = 512, large = 2048, short_k = 4;
  if (device.type != DeviceType::cpu || !system.is_mirrored()) return true;
  return system.n >= large || (system.n >= least && short_k * system.k <= system.n);
}

std::string RankKShape::defines() const {
  return define("LANES", lanes) + define("GROUP_ROWS", group_rows) + define("ITEM_ROWS", item_rows);
}

RankKShape rank_k_shape(const RankKSystem& system, const DeviceProfile& device) {
  const bool is_cpu = device.type == DeviceType::cpu;
  const Costs& costs = is_cpu ? cpu : gpu;
  const std::uint64_t least_grid = is_complex(system.type) ? std::min(complex_grid, costs.grid) : costs.grid;
  RankKShape shape{.block = system.n, .grid = least_grid, .lanes = 1, .group_rows = 1, .item_rows = 16};
  if (system.empty()) return shape;
  double least_cost = std::numeric_limits<double>::infinity();
  const auto may_halve = [&](std::uint64_t parts) { return system.n / (2 * parts) >= costs.smallest; };
  for (std::uint64_t parts = 1; parts == 1 || may_halve(parts / 2); parts *= 2) {
    const std::uint64_t block = parts == 1 ? system.n : rounded_up((system.n + parts - 1) / parts, block_multiple);
    if (may_halve(parts) && bytes_of(system.n, block, accumulator_bytes(system.type)) > most_bytes) continue;
    for (std::uint64_t grid = least_grid; true; grid *= 2) {
      if (const double cost = cost_of(system, costs, block, grid); cost < least_cost) {
        least_cost = cost;
        shape.block = block;
        shape.grid = grid;
      }
      if (is_complex(system.type) || grid >= parts || parts * grid * system.count > most_squares) break;
    }
  }
  if (is_cpu) return shape;
  const auto items = static_cast<std::int64_t>(std::min(
      {std::size_t{128}, device.max_work_group_size, device.max_work_item_sizes[0], device.max_work_item_sizes[1]}));
  shape.lanes = std::min<std::int64_t>(items, 32);
  while (shape.lanes > 4 && static_cast<std::uint64_t>(shape.lanes) >= 2 * shape.block) shape.lanes /= 2;
  shape.group_rows = items / shape.lanes;
  shape.item_rows = 1;
  return shape;
}

}  // namespace tilewright::detail
