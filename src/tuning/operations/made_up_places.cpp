#include "tuning/operations/made_up_places.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "verification/common/random_data.hpp"

namespace tilewright::tuning {
namespace {

using verification::random_bits;

/// Uniform in [0, 1).
double random_unit(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, index) >> 11U) * 0x1p-53;
}

/// Lengths of rows that are not empty, shortest first: shortest + (longest - shortest) t^power for t from 0 to 1.
struct LengthCurve {
  double shortest = 1, longest = 1, power = 1;

  /// The curve of a mean and a variance. The mean is shortest + (longest - shortest) / (power + 1). The variance is
  /// (longest - mean)^2 / (2 power + 1). If the shortest row would be shorter than 1, only the mean is met.
  LengthCurve(double mean, double variance, double most) : longest(most) {
    const double above = longest - mean;
    if (!(above > 0)) {
      shortest = longest;
      return;
    }
    power = variance > 0 ? (above * above / variance - 1) / 2 : 0;
    if (power > 0) shortest = longest - above * (power + 1) / power;
    if (power > 0 && shortest >= 1) return;
    shortest = 1;
    power = mean > 1 ? above / (mean - 1) : 1;
  }

  std::uint64_t at(double t) const {
    return static_cast<std::uint64_t>(std::llround(shortest + (longest - shortest) * std::pow(t, power)));
  }
};

/// Returns the lengths of all rows, whose sum is the number of elements.
std::vector<std::uint64_t> lengths_of(const RowStatistics& rows) {
  const std::uint64_t filled = rows.rows - rows.empty_rows;
  const auto count = static_cast<double>(filled);
  const double mean = static_cast<double>(rows.nonzeros) / count;
  // The variance of the rows that are not empty. Empty rows differ from the mean of all rows by that mean.
  const double all = rows.deviation * rows.deviation + rows.mean * rows.mean;
  const double variance = all * static_cast<double>(rows.rows) / count - mean * mean;
  const LengthCurve curve(mean, variance, static_cast<double>(rows.longest));
  std::vector<std::uint64_t> lengths(rows.rows, 0);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < filled; ++i) {
    const double t = (static_cast<double>(i) + 0.5) / count;
    lengths[i] = i + 1 == filled ? rows.longest : std::clamp<std::uint64_t>(curve.at(t), 1, rows.longest);
    sum += lengths[i];
  }
  // Changes lengths by one until the sum fits, except for the longest row. This ends, because every length has a
  // minimum and a maximum.
  for (std::uint64_t i = 0; sum != rows.nonzeros; i = i + 2 < filled ? i + 1 : 0) {
    if (sum < rows.nonzeros && lengths[i] < rows.longest) ++lengths[i], ++sum;
    if (sum > rows.nonzeros && lengths[i] > 1) --lengths[i], --sum;
  }
  for (std::uint64_t i = rows.rows; i > 1; --i) std::swap(lengths[i - 1], lengths[random_bits(1, i) % i]);
  return lengths;
}

}  // namespace

SparsePlaces made_up_places(const RowStatistics& rows) {
  SparsePlaces places{.rows = rows.rows, .columns = rows.columns, .offsets = {0}, .indices = {}, .values = {}};
  places.offsets.reserve(rows.rows + 1);
  places.indices.reserve(rows.nonzeros);
  const auto columns = static_cast<double>(rows.columns);
  const double slope = columns / static_cast<double>(rows.rows);
  const std::vector<std::uint64_t> lengths = lengths_of(rows);
  for (std::uint64_t i = 0; i < rows.rows; ++i) {
    // Elements are on average a quarter of the width from the middle, one in each of `length` equal pieces.
    const auto length = static_cast<double>(lengths[i]);
    const double width = std::min(columns, std::max(length, 4 * rows.spread));
    const double begin = std::clamp(slope * static_cast<double>(i) - width / 2, 0.0, columns - width);
    for (std::uint64_t x = 0; x < lengths[i]; ++x) {
      const double at = begin + width * (static_cast<double>(x) + random_unit(2, places.indices.size())) / length;
      places.indices.push_back(std::min(static_cast<std::int64_t>(at), static_cast<std::int64_t>(rows.columns) - 1));
    }
    places.offsets.push_back(static_cast<std::int64_t>(places.indices.size()));
  }
  return places;
}

}  // namespace tilewright::tuning
