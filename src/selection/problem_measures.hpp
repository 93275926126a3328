// Measures by which operations compare their problems.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace tilewright::detail {

/// Returns the distance between two sizes: |log(left / right)|.
inline double log_ratio(std::uint64_t left, std::uint64_t right) {
  return std::abs(std::log(static_cast<double>(left) / static_cast<double>(right)));
}

/// Returns a hash of numbers that depends on their order.
inline std::size_t hash_of(std::initializer_list<std::uint64_t> values) {
  std::size_t hash = 0;
  for (const std::uint64_t value : values) {
    hash = (hash ^ static_cast<std::size_t>(value)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

/// Writes numbers as text, in their order.
inline std::string key_of(std::initializer_list<std::uint64_t> values) {
  std::string key;
  for (const std::uint64_t value : values) key += std::to_string(value) + ' ';
  return key;
}

}  // namespace tilewright::detail
