// Numbers of things in proportion to the speeds of devices.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::detail {

/// Whether a speed can be divided by and compared: positive and finite.
bool is_usable_speed(double speed);

/// Limits a usable speed so that sums and quotients of speeds stay finite.
double limited_speed(double speed);

/// Divides the numbers 0 to count - 1 into one range per speed, in proportion to the speeds, and returns where each
/// range ends. A speed that is not usable gets an empty range. If no speed is usable, all ranges are equally long.
std::vector<std::uint64_t> portion_ends(std::uint64_t count, const std::vector<double>& speeds);

}  // namespace tilewright::detail
