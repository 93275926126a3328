#include "level2/shape.hpp"

#include <algorithm>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/explanation.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

constexpr std::int64_t most_groups = 4096;

// Bytes of the triangle that make a work-group of a CPU worth waking a thread. A product with several groups also needs
// a second launch.
constexpr std::uint64_t bytes_per_group(bool is_update) { return is_update ? 1 << 17 : 1 << 19; }

// A group of a product has its own sums of n elements. With a 64th of n groups these cost a few percent of the
// triangle.
constexpr std::uint64_t rows_per_group = 64;

// Problems of the batch that share the device, in a range that keeps products of sizes within 64 bits.
std::uint64_t concurrent_problems(const Level2Problem& p) {
  return std::clamp<std::uint64_t>(p.batch.count, 1, 1 << 20);
}

std::uint64_t row_groups(const Level2Problem& p, bool is_update, const DeviceProfile& device) {
  const std::uint64_t triangle = bytes_of(p.n, p.n / 2 + 1, size_of(p.type));
  const std::uint64_t useful = std::min<std::uint64_t>(triangle / bytes_per_group(is_update), p.n / rows_per_group);
  // Two groups per core even out cores of different speed.
  const std::uint64_t wanted =
      ceil_div(2 * std::uint64_t{device.compute_units}, static_cast<std::int64_t>(concurrent_problems(p)));
  return std::clamp<std::uint64_t>(std::min(useful, wanted), 1, most_groups);
}

// Tiles of level2_block x level2_block elements that meet the triangle.
std::uint64_t tiles_of(const Level2Problem& p) {
  const std::uint64_t blocks = std::max<std::uint64_t>(1, ceil_div(p.n, level2_block));
  return blocks * (blocks + 1) / 2;
}

// As many groups as run at once, so that all end together.
std::uint64_t tile_groups(const Level2Problem& p, const DeviceProfile& device) {
  constexpr std::uint64_t groups_per_unit = 4;
  const std::uint64_t wanted =
      ceil_div(groups_per_unit * device.compute_units, static_cast<std::int64_t>(concurrent_problems(p)));
  return std::clamp<std::uint64_t>(wanted, 1, most_groups);
}

// Elements of x_of_rows and parts of cl/level2/product_tiles.cl.
constexpr std::size_t local_elements = level2_block + level2_tile * (level2_tile + 1);

// Work-items per group of tiles; 0 if the device cannot run them.
std::int64_t tile_group(DataType type, const DeviceProfile& device) {
  if (local_elements * size_of(type) > device.local_memory_bytes) return 0;
  std::int64_t group = 256;
  while (group >= level2_tile &&
         static_cast<std::size_t>(group) > std::min(device.max_work_group_size, device.max_work_item_sizes[0]))
    group /= 2;
  return group >= level2_tile ? group : 0;
}

void take(const Configuration& configuration, bool is_update, Level2Shape& shape) {
  const bool has_groups = !shape.by_tiles || !is_update;
  for (const auto& [name, value] : configuration) {
    if (name != "groups" || !has_groups)
      throw Error(ErrorCode::unknown_parameter, std::string("variant '") + (shape.by_tiles ? "tiles" : "rows") +
                                                    "' has no parameter '" + name + "'" +
                                                    (has_groups ? "; it has groups" : ""));
    if (value < 1 || value > most_groups)
      throw Error(ErrorCode::invalid_configuration,
                  "groups is " + std::to_string(value) + "; use 1 to " + std::to_string(most_groups));
    shape.groups = static_cast<std::uint64_t>(value);
  }
}

}  // namespace

bool has_level2_tiles(DataType type, const DeviceProfile& device) { return tile_group(type, device) != 0; }

Level2Shape level2_shape(const Level2Problem& p, bool is_update, const DeviceProfile& device, const Choice& choice) {
  if (!choice.variant.empty() && choice.variant != "rows" && choice.variant != "tiles")
    throw Error(ErrorCode::unknown_variant,
                "there is no variant '" + choice.variant + "'; the variants are: rows, tiles");
  const std::int64_t group = tile_group(p.type, device);
  if (choice.variant == "tiles" && group == 0)
    throw Error(ErrorCode::unsupported_variant,
                "variant 'tiles' needs work-groups of 32 work-items and local memory for " +
                    std::to_string(local_elements) + " elements");
  Level2Shape shape;
  shape.by_tiles = choice.variant.empty() ? device.type != DeviceType::cpu && group != 0 : choice.variant == "tiles";
  if (!choice.variant.empty())
    shape.reason = "chosen by the caller";
  else if (shape.by_tiles)
    shape.reason = "work-items of a GPU read adjacent columns";
  else
    shape.reason = device.type == DeviceType::cpu ? "a core of a CPU walks along rows"
                                                  : "the device lacks local memory or work-items for tiles";
  if (shape.by_tiles) {
    shape.group = group;
    if (!is_update) shape.groups = tile_groups(p, device);
  } else {
    shape.groups = row_groups(p, is_update, device);
  }
  take(choice.configuration, is_update, shape);
  if (shape.by_tiles && !is_update) {
    // All groups but the last have equally many tiles.
    const std::uint64_t tiles = tiles_of(p), share = (tiles + shape.groups - 1) / shape.groups;
    shape.groups = (tiles + share - 1) / share;
  }
  return shape;
}

Explanation explain_level2(const Level2Problem& p, bool is_update, const Level2Shape& shape) {
  Explanation explanation{.variant = shape.by_tiles ? "tiles" : "rows",
                          .reason = shape.reason,
                          .problem = problem_text(p.function, to_string(p.type), {p.n}, p.batch.count)};
  if (!shape.by_tiles || !is_update) explanation.configuration = {{"groups", static_cast<std::int64_t>(shape.groups)}};
  return explanation;
}

}  // namespace tilewright::detail
