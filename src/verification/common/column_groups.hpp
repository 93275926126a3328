#pragma once

#include <algorithm>
#include <cstdint>

#include "verification/common/random_data.hpp"

namespace tilewright::verification {

/// Splits a matrix's columns into groups and gives each column a random sign (Freivalds, 1977). A check compares the
/// signed sum of each group's elements per row, instead of each element. The reference then costs 1/width of the work,
/// and every element takes part: an error of one element appears undiminished in its group's sum. The error bounds of a
/// group's elements add up, so narrow groups detect smaller errors. Groups of width 1 have no signs and are the
/// elements themselves.
class ColumnGroups {
 public:
  /// Groups of one column.
  explicit ColumnGroups(std::uint64_t columns) : ColumnGroups(columns, 1, 0) {}

  ColumnGroups(std::uint64_t columns, std::uint64_t width, std::uint64_t seed)
      : columns_(columns), width_(width), seed_(seed) {}

  std::uint64_t count() const { return (columns_ + width_ - 1) / width_; }
  std::uint64_t width() const { return width_; }
  std::uint64_t first_column(std::uint64_t group) const { return group * width_; }

  /// Returns the sum of sign * element(column) over a group.
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

  /// Returns the sum of |element(column)| over a group.
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
