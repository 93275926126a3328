#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::verification {

/// 0 ... rows - 1.
std::vector<std::uint64_t> all_rows(std::uint64_t rows);

/// Up to `wanted` rows of a matrix, in order: the first and the last, rows on both sides of tile edges,
/// evenly spaced ones and random ones.
std::vector<std::uint64_t> sample_rows(std::uint64_t rows, std::uint64_t wanted, std::uint64_t seed);

}  // namespace tilewright::verification
