#include "verification/common/row_sample.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "verification/common/random_data.hpp"

namespace tilewright::verification {

std::vector<std::uint64_t> all_rows(std::uint64_t rows) {
  std::vector<std::uint64_t> all(rows);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

std::vector<std::uint64_t> sample_rows(std::uint64_t rows, std::uint64_t wanted, std::uint64_t seed) {
  if (wanted >= rows) return all_rows(rows);
  std::set<std::uint64_t> sample;
  const auto add = [&](std::uint64_t row) {
    if (row < rows && sample.size() < wanted) sample.insert(row);
  };
  add(rows - 1);
  add(0);
  for (const std::uint64_t tile : {64U, 128U}) {
    const std::uint64_t last_edge = (rows - 1) / tile * tile;
    for (const std::uint64_t edge : {last_edge, tile}) {
      add(edge);
      add(edge - 1);
    }
  }
  const std::uint64_t evenly = wanted / 3;
  for (std::uint64_t i = 1; i <= evenly; ++i) add(rows / (evenly + 1) * i);
  for (std::uint64_t i = 0; sample.size() < wanted; ++i) add(random_bits(seed, i) % rows);
  return {sample.begin(), sample.end()};
}

}  // namespace tilewright::verification
