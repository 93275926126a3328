#include "level2/shape.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/explanation.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

constexpr std::int64_t most_groups = 4096, largest_strip = 1024, most_columns = 4;

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

// The largest power of two for which every compute unit has some groups, so that its memory requests overlap.
std::uint64_t strip_columns(const Level2Problem& p, const DeviceProfile& device) {
  constexpr std::uint64_t groups_per_unit = 8;
  const std::uint64_t blocks = ceil_div(p.n, level2_block);
  const std::uint64_t columns = concurrent_problems(p) * blocks * p.n / 2 / (groups_per_unit * device.compute_units);
  return std::bit_floor(std::clamp<std::uint64_t>(columns, level2_block, largest_strip));
}

// Whether local memory has room for x_of_rows, of_rows and of_columns of cl/level2/product_tiles.cl.
bool has_room(DataType type, std::int64_t columns, const DeviceProfile& device) {
  const std::int64_t elements = level2_block + level2_tile * (level2_tile + 1) + 2 * 256 * columns;
  return static_cast<std::size_t>(elements) * size_of(type) <= device.local_memory_bytes;
}

// Work-items per group of tiles; 0 if the device cannot run them.
std::int64_t tile_group(DataType type, const DeviceProfile& device) {
  if (!has_room(type, 1, device)) return 0;
  std::int64_t group = 256;
  while (group >= level2_tile &&
         static_cast<std::size_t>(group) > std::min(device.max_work_group_size, device.max_work_item_sizes[0]))
    group /= 2;
  return group >= level2_tile ? group : 0;
}

struct Parameter {
  std::string_view name;
  std::int64_t step, most;  // values are multiples of `step`
};

// The parameters of a shape, by the names that configurations use.
std::span<const Parameter> parameters_of(const Level2Shape& shape, bool is_update) {
  static constexpr Parameter rows[] = {{"groups", 1, most_groups}};
  static constexpr Parameter tiles[] = {{"strip", level2_block, largest_strip}, {"columns", 1, most_columns}};
  if (!shape.by_tiles) return rows;
  return is_update ? std::span<const Parameter>() : tiles;
}

void take(const Configuration& configuration, bool is_update, Level2Shape& shape) {
  const std::span<const Parameter> known = parameters_of(shape, is_update);
  for (const auto& entry : configuration) {
    const auto& [name, value] = entry;
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Parameter& p) { return p.name == entry.first; });
    if (found == known.end()) {
      std::string names;
      for (const Parameter& p : known) names += (names.empty() ? "" : ", ") + std::string(p.name);
      throw Error(ErrorCode::unknown_parameter, std::string("variant '") + (shape.by_tiles ? "tiles" : "rows") +
                                                    "' has no parameter '" + name + "'" +
                                                    (names.empty() ? "" : "; it has " + names));
    }
    const auto& [of_parameter, step, most] = *found;
    if (value < step || value > most || value % step != 0)
      throw Error(ErrorCode::invalid_configuration, name + " is " + std::to_string(value) + "; use a multiple of " +
                                                        std::to_string(step) + " from " + std::to_string(step) +
                                                        " to " + std::to_string(most));
    if (of_parameter == "columns")
      shape.columns = value;
    else
      (shape.by_tiles ? shape.strip : shape.groups) = static_cast<std::uint64_t>(value);
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
                "variant 'tiles' needs work-groups of 32 work-items and local memory for 1632 elements");
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
    if (!is_update) shape.strip = strip_columns(p, device);
  } else {
    shape.groups = row_groups(p, is_update, device);
  }
  take(choice.configuration, is_update, shape);
  if (shape.by_tiles && !has_room(p.type, shape.columns, device))
    throw Error(ErrorCode::invalid_configuration,
                "columns is " + std::to_string(shape.columns) + ", for which local memory is too small; use fewer");
  return shape;
}

Explanation explain_level2(const Level2Problem& p, bool is_update, const Level2Shape& shape) {
  Explanation explanation{.variant = shape.by_tiles ? "tiles" : "rows",
                          .reason = shape.reason,
                          .problem = problem_text(p.function, to_string(p.type), {p.n}, p.batch.count)};
  if (!shape.by_tiles)
    explanation.configuration = {{"groups", static_cast<std::int64_t>(shape.groups)}};
  else if (!is_update)
    explanation.configuration = {{"strip", static_cast<std::int64_t>(shape.strip)}, {"columns", shape.columns}};
  return explanation;
}

}  // namespace tilewright::detail
