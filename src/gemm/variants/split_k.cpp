#include "gemm/variants/split_k.hpp"

#include <algorithm>

#include "gemm/epilogue.hpp"
#include "kernels/build_options.hpp"
#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {
namespace {

// How split_k_reduction divides its work. The names are those of the macros in its file; the first shape has the
// macros' defaults.
struct SumShape {
  std::int64_t columns, items, parts;
};
constexpr SumShape cpu_shape{256, 1, 1};
constexpr SumShape gpu_shape{64, 64, 4};

}  // namespace

std::uint64_t products_of(const CoreProduct& problem) { return std::max<std::uint64_t>(1, problem.batch.count); }

Slices split_k(const CoreProduct& problem, std::size_t work_groups, double wanted, std::int64_t least,
               std::int64_t step) {
  const std::uint64_t all = std::max<std::uint64_t>(1, problem.k);
  Slices result{1, static_cast<std::int64_t>(all)};
  if (least <= 0 || work_groups == 0 || problem.k_range) return result;
  const auto products = static_cast<double>(products_of(problem));
  const auto most = static_cast<std::uint64_t>(wanted / products / static_cast<double>(work_groups));
  const std::uint64_t count = std::min(most, all / static_cast<std::uint64_t>(least));
  if (count <= 1) return result;
  result.length = static_cast<std::int64_t>(rounded_up((all + count - 1) / count, step));
  result.count = ceil_div(all, result.length);
  return result;
}

double groups_to_fill(const DeviceProfile& device, std::int64_t items) {
  constexpr double items_per_unit = 256;
  return std::max(1.0, items_per_unit / static_cast<double>(items)) * device.compute_units;
}

Workspace slices_workspace(const CoreProduct& problem, const Slices& slices) {
  const std::uint64_t rows = bytes_of(slices.count, problem.m, 1);
  return {.bytes = bytes_of(problem.batch.count * rows, problem.n, accumulator_bytes(problem.type))};
}

bool last_group_can_add(const CoreProduct& problem, const DeviceProfile& device, std::size_t slices,
                        const TileGroups& tiles) {
  // One group reads all slices of a tile; above this many bytes another launch is always faster.
  constexpr std::uint64_t max_bytes = 1 << 20;
  return slices > 1 && quirks_of(device.vendor).takes_ptx &&
         bytes_of(slices, tiles.sums, accumulator_bytes(problem.type)) <= max_bytes &&
         bytes_of(products_of(problem), tiles.tiles, 1) <= max_tickets;
}

bool last_group_should_add(const CoreProduct& problem, const DeviceProfile& device, std::size_t slices,
                           const TileGroups& tiles) {
  constexpr std::uint64_t surely_faster = 1 << 18;  // bytes; above this one group may take longer than a launch
  return last_group_can_add(problem, device, slices, tiles) &&
         bytes_of(slices, tiles.sums, accumulator_bytes(problem.type)) <= surely_faster;
}

Slices slices_of_tiles(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles, double wanted,
                       std::int64_t least, std::int64_t step) {
  Slices slices = split_k(problem, tiles.tiles, wanted, least, step);
  slices.by_groups = last_group_should_add(problem, device, slices.count, tiles);
  return slices;
}

std::vector<Workspace> slices_workspaces(const CoreProduct& problem, const Slices& slices, const TileGroups& tiles) {
  if (slices.count == 1) return {};
  const TileGroups divided{tiles.tiles - slices.whole, tiles.sums};
  if (!slices.by_groups) return {slices_workspace(problem, slices)};
  const std::uint64_t groups = products_of(problem) * divided.tiles;
  return {{.bytes = bytes_of(groups * slices.count, tiles.sums, accumulator_bytes(problem.type))},
          {.kind = Workspace::Kind::tickets, .bytes = groups * sizeof(std::uint32_t)}};
}

std::vector<KernelArgument> slices_arguments(const CoreProduct& problem, std::uint64_t place) {
  return {argument::workspace(place), argument::index(problem.n)};
}

Launch split_k_reduction_launch(const CoreProduct& problem, const DeviceProfile& device, const Slices& slices,
                                std::uint64_t place) {
  using namespace gemm_slots;
  const bool one_item = device.type == DeviceType::cpu || device.max_work_group_size < 256;
  const SumShape shape = one_item ? cpu_shape : gpu_shape;
  const auto items = static_cast<std::size_t>(shape.items * shape.parts);
  // A C without gaps is one row: if its rows are short, a group per row would cost more than its work.
  const bool is_one_row = problem.ldc == problem.n && !has_epilogue(problem.epilogue) && !problem.triangle;
  const std::uint64_t rows = is_one_row ? 1 : problem.m, columns = is_one_row ? problem.m * problem.n : problem.n;
  Launch launch{.kernel = "split_k_reduction",
                .arguments = {index(rows), index(columns), workspace(place), index(slices.count), beta, c,
                              index(problem.ldc), batch, epilogue},
                .global = {ceil_div(columns, shape.columns) * items, static_cast<std::size_t>(rows)},
                .local = {items, 1}};
  if (!one_item)
    launch.defines =
        define("SUM_COLUMNS", shape.columns) + define("SUM_ITEMS", shape.items) + define("SUM_PARTS", shape.parts);
  return launch;
}

namespace {

// Turns a launch over all of k into one over slices.
std::vector<Launch> product_in_slices(Launch product, const CoreProduct& problem, const DeviceProfile& device,
                                      const Slices& slices, const TileGroups& tiles) {
  using namespace gemm_slots;
  if (slices.count == 1) return {std::move(product)};
  const auto length = static_cast<std::uint64_t>(slices.length);
  const TileGroups divided{tiles.tiles - slices.whole, tiles.sums};
  if (slices.by_groups) {
    for (const std::uint64_t value : {slices.whole, divided.tiles, std::uint64_t{slices.count}, length})
      product.arguments.push_back(index(value));
    product.arguments.push_back(workspace(0));
    product.arguments.push_back(workspace(1));
    const std::uint64_t groups = slices.whole + divided.tiles * slices.count;
    product.global[0] = product.local[0] * static_cast<std::size_t>(groups);
    product.work_per_group =
        static_cast<double>(problem.k) * static_cast<double>(tiles.tiles) / static_cast<double>(groups);
    product.defines = define("SPLIT_K", 2) + define("LAST_GROUP", 1);
    return {std::move(product)};
  }
  product.arguments.push_back(index(length));
  product.arguments.push_back(index(slices.count));
  product.global.push_back(slices.count);
  product.local.push_back(1);
  product.work_per_group = static_cast<double>(slices.length);
  // The slices replace C and its leading dimension.
  const auto c_place = std::find(product.arguments.begin(), product.arguments.end(), c);
  const std::vector<KernelArgument> place = slices_arguments(problem, 0);
  std::copy(place.begin(), place.end(), c_place);
  product.defines = define("SPLIT_K", 1);
  return {std::move(product), split_k_reduction_launch(problem, device, slices, 0)};
}

}  // namespace

std::vector<Launch> groups_in_slices(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles,
                                     std::int64_t items, const Slices& slices) {
  const auto group = static_cast<std::size_t>(items);
  return product_in_slices({.kernel = "gemm",
                            .arguments = gemm_arguments(problem),
                            .global = {static_cast<std::size_t>(tiles.tiles) * group},
                            .local = {group}},
                           problem, device, slices, tiles);
}

Execution in_slices(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles,
                    std::int64_t items, const Slices& slices) {
  return {.launches = groups_in_slices(problem, device, tiles, items, slices),
          .workspaces = slices_workspaces(problem, slices, tiles)};
}

}  // namespace tilewright::detail
