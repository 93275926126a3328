#include "verification/spmm/sparse_pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "verification/common/random_data.hpp"

namespace tilewright::verification {
namespace {

// Appends `count` random elements of a row.
void scatter(std::vector<Place>& places, std::uint64_t row, std::uint64_t count, std::uint64_t k, std::uint64_t seed) {
  for (std::uint64_t x = 0; x < count; ++x) places.push_back({row, random_bits(seed + 1, row * 0x10001 + x) % k});
}

std::vector<Place> of_row(SparsePattern pattern, std::uint64_t i, std::uint64_t m, std::uint64_t k, std::uint64_t mean,
                          std::uint64_t seed) {
  std::vector<Place> row;
  const auto all = [&] {
    for (std::uint64_t p = 0; p < k; ++p) row.push_back({i, p});
  };
  const auto random = [&](std::uint64_t count) { scatter(row, i, count, k, seed); };
  switch (pattern) {
    case SparsePattern::none:
      break;
    case SparsePattern::uniform:
      random(random_bits(seed, i) % (2 * mean + 1));
      break;
    case SparsePattern::power_law:
      random(std::max<std::uint64_t>(1, k / (i + 1)));
      break;
    case SparsePattern::banded:
      for (std::uint64_t p = i < mean / 2 ? 0 : i - mean / 2; p <= i + mean / 2 && p < k; ++p) row.push_back({i, p});
      break;
    case SparsePattern::one_row:
      if (i == m / 2) all();
      break;
    case SparsePattern::gaps:
      if (i > 0 && i + 1 < m && i % 4 == 1) random(mean);
      break;
    case SparsePattern::dense_row:
      if (i == m / 2)
        all();
      else if (i < k)
        row.push_back({i, i});
      break;
    case SparsePattern::dense_column:
    case SparsePattern::diagonal:
      if (i < k) row.push_back({i, i});
      if (pattern == SparsePattern::dense_column && i != k / 2) row.push_back({i, k / 2});
      break;
  }
  return row;
}

}  // namespace

std::string_view to_string(SparsePattern pattern) {
  switch (pattern) {
    case SparsePattern::none:
      return "none";
    case SparsePattern::uniform:
      return "uniform";
    case SparsePattern::power_law:
      return "power_law";
    case SparsePattern::banded:
      return "banded";
    case SparsePattern::diagonal:
      return "diagonal";
    case SparsePattern::dense_row:
      return "dense_row";
    case SparsePattern::dense_column:
      return "dense_column";
    case SparsePattern::one_row:
      return "one_row";
    case SparsePattern::gaps:
      return "gaps";
  }
  return "unknown";
}

SparsePattern parse_pattern(std::string_view word) {
  for (const SparsePattern pattern : all_patterns)
    if (word == to_string(pattern)) return pattern;
  throw std::invalid_argument("unknown pattern '" + std::string(word) + "'");
}

std::vector<Place> places_of(SparsePattern pattern, std::uint64_t m, std::uint64_t k, std::uint64_t mean,
                             std::uint64_t seed) {
  std::vector<Place> places;
  if (k == 0) return places;
  for (std::uint64_t i = 0; i < m; ++i) {
    const auto row = of_row(pattern, i, m, k, mean, seed);
    places.insert(places.end(), row.begin(), row.end());
  }
  return places;
}

}  // namespace tilewright::verification
