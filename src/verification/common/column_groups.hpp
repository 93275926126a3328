#pragma once

#include <algorithm>
#include <cstdint>

#include "verification/common/random_data.hpp"

namespace tilewright::verification {

/// Splits a matrix's columns into groups and gives every column a random sign (Freivalds, 1977): instead of each
/// element of C, the signed sum of each group's elements of a row is compared. A reference then costs 1/width of the
/// work, every element takes part, and what one element is wrong by shows undiminished in its group's sum. The error
/// bounds of a group add up, so narrow groups see small errors. Width 1 without signs is the elements themselves.
class ColumnGroups {
 public:
  /// Every column by itself.
  explicit ColumnGroups(std::uint64_t columns) : ColumnGroups(columns, 1, 0) {}

  ColumnGroups(std::uint64_t columns, std::uint64_t width, std::uint64_t seed)
      : columns_(columns), width_(width), seed_(seed) {}

  std::uint64_t count() const { return (columns_ + width_ - 1) / width_; }
  std::uint64_t width() const { return width_; }
  std::uint64_t first_column(std::uint64_t group) const { return group * width_; }

  /// Sum over a group of sign * element(column).
  template <class Real, class Element>
  Real signed_sum(std::uint64_t group, const Element& element) const {
    const std::uint64_t begin = first_column(group);
    if (width_ == 1) return static_cast<Real>(element(begin));
    Real sum{0};
    for (std::uint64_t column = begin; column < end_column(group); ++column) {
      const Real value = static_cast<Real>(element(column));
      sum += (random_bits(seed_, column) & 1) != 0 ? value : -value;
    }
    return sum;
  }

  /// Sum over a group of |element(column)|.
  template <class Real, class Element>
  Real magnitude_sum(std::uint64_t group, const Element& element) const {
    Real sum{0};
    for (std::uint64_t column = first_column(group); column < end_column(group); ++column) {
      const Real value = static_cast<Real>(element(column));
      sum += value < 0 ? -value : value;
    }
    return sum;
  }

 private:
  std::uint64_t end_column(std::uint64_t group) const { return std::min(columns_, (group + 1) * width_); }

  std::uint64_t columns_;
  std::uint64_t width_;
  std::uint64_t seed_;
};

}  // namespace tilewright::verification
