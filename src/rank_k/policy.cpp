#include "rank_k/policy.hpp"

#include <algorithm>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

// Blocks are a multiple of this many rows, so that they start at whole vectors.
constexpr std::int64_t block_multiple = 16;

struct Costs {
  double launch;           // real multiplications in the time of a launch
  std::uint64_t smallest;  // rows of the smallest block that gemm multiplies efficiently
  std::uint64_t grid;
};

// CPUs: a launch takes 20 to 50 us, and 2 cores multiply 50 numbers per ns. Large squares read A and B least often.
constexpr Costs cpu{.launch = 2e6, .smallest = 64, .grid = 2};
// GPUs: a launch takes 5 us, in which a large GPU makes 1e8 multiplications. Its multiprocessors need many tiles at
// once, so squares of the lower levels are divided by one product. A complex product expands its right factor for each
// square, so that it takes more memory.
constexpr Costs gpu{.launch = 1e8, .smallest = 64, .grid = 8};
constexpr std::uint64_t complex_grid = 4;

}  // namespace

std::string RankKShape::defines() const {
  return define("LANES", lanes) + define("GROUP_ROWS", group_rows) + define("ITEM_ROWS", item_rows);
}

// A product computes both triangles of a block on the diagonal. Halving the blocks saves half of that waste, for one
// more level of squares.
RankKShape rank_k_shape(const RankKSystem& system, const DeviceProfile& device) {
  const bool is_cpu = device.type == DeviceType::cpu;
  const Costs& costs = is_cpu ? cpu : gpu;
  const double saved = static_cast<double>(system.n) * static_cast<double>(system.k) *
                       static_cast<double>(system.count) * (is_complex(system.type) ? 4 : 1);  // per row of the block
  std::uint64_t parts = 1;
  while (system.n / (2 * parts) >= costs.smallest &&
         saved * static_cast<double>(system.n) / static_cast<double>(4 * parts) > costs.launch)
    parts *= 2;
  RankKShape shape{.block = parts == 1 ? system.n : rounded_up((system.n + parts - 1) / parts, block_multiple),
                   .grid = is_complex(system.type) ? std::min(complex_grid, costs.grid) : costs.grid,
                   .lanes = 1,
                   .group_rows = 1,
                   .item_rows = 16};
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
