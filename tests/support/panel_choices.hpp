// Configurations of packed_panel for tests of the products with a triangular or symmetric factor, on all devices.
#pragma once

#include <array>
#include <cstdint>

#include "tilewright/choice.hpp"

namespace tilewright::test {

inline Choice panels_of(std::int64_t item_m, std::int64_t item_n, std::int64_t vector_n, std::int64_t group_m,
                        std::int64_t group_n, std::int64_t unroll, std::int64_t pack_a, std::int64_t block_k = 64,
                        std::int64_t pack_b = 0) {
  return {"packed_panel",
          {{"item_m", item_m},
           {"item_n", item_n},
           {"vector_n", vector_n},
           {"block_k", block_k},
           {"group_m", group_m},
           {"group_n", group_n},
           {"slice_k", 32},
           {"unroll", unroll},
           {"pack_a", pack_a},
           {"pack_b", pack_b}}};
}

/// Panels of one and of several vectors, groups of one and of several panels, groups that copy B, squares that cross
/// blocks of k. Groups are small and blocks of an unpacked A shallow, because work-items of GPUs have little private
/// memory.
inline const std::array panel_choices{panels_of(6, 16, 8, 12, 32, 2, 0, 4),  panels_of(4, 8, 8, 48, 32, 1, 1),
                                      panels_of(12, 16, 4, 12, 32, 4, 0, 4), panels_of(1, 48, 16, 8, 96, 2, 1),
                                      panels_of(10, 8, 2, 20, 16, 8, 0, 8),  panels_of(4, 16, 8, 12, 32, 2, 0, 8, 2)};

}  // namespace tilewright::test
