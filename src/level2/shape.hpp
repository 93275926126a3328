// How the work on a triangle is divided among work-groups.
#pragma once

#include <cstdint>

#include "level2/problem.hpp"
#include "tilewright/choice.hpp"

namespace tilewright::detail {

struct Level2Shape {
  bool by_tiles = false;     ///< the kernels of cl/level2/*_tiles.cl, otherwise those of *_rows.cl
  std::int64_t group = 1;    ///< tiles: work-items per group
  std::uint64_t groups = 1;  ///< rows, and tiles of a product: work-groups per problem
  const char* reason = "";
};

/// Rows and columns of the tiles of cl/level2/*_tiles.cl.
inline constexpr std::int64_t level2_block = 64, level2_tile = 32;

/// Whether a device can run the variant `tiles`.
bool has_level2_tiles(DataType type, const DeviceProfile& device);

/// Returns the shape for a checked problem. `is_update`: the operation writes A.
/// Throws Error(unknown_variant, unknown_parameter, invalid_configuration, unsupported_variant). A configuration that
/// takes more local memory than the device has is invalid.
Level2Shape level2_shape(const Level2Problem& problem, bool is_update, const DeviceProfile& device,
                         const Choice& choice);

/// Returns the variant's name and parameters, and why it was chosen.
Explanation explain_level2(const Level2Problem& problem, bool is_update, const Level2Shape& shape);

}  // namespace tilewright::detail
