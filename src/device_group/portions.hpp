// Divides a number of things in proportion to the speeds of devices.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::detail {

/// Divides the numbers 0 to count - 1 into one range per speed, in proportion to the speeds, and returns where each
/// range ends. A speed that is not usable gets an empty range. If no speed is usable, all ranges are equally long.
std::vector<std::uint64_t> portion_ends(std::uint64_t count, const std::vector<double>& speeds);

}  // namespace tilewright::detail
