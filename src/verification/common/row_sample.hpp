#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::verification {

/// Returns 0 ... rows - 1.
std::vector<std::uint64_t> all_rows(std::uint64_t rows);

/// Returns up to `wanted` rows of a matrix, sorted: the first and the last, rows on both sides of tile edges, evenly
/// spaced and random ones.
std::vector<std::uint64_t> sample_rows(std::uint64_t rows, std::uint64_t wanted, std::uint64_t seed);

}  // namespace tilewright::verification
