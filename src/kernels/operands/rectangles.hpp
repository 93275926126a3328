// Intersection of rectangles.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::detail {

/// Columns [left, right) of rows [top, bottom) of a plane.
struct Rectangle {
  std::uint64_t top = 0, bottom = 0, left = 0, right = 0;
  std::uint64_t owner = 0;  ///< index of the object that the rectangle is a part of
};

/// Returns the owners of two rectangles that share a point, if there are any. Takes n log n time.
std::optional<std::pair<std::uint64_t, std::uint64_t>> meeting_pair(const std::vector<Rectangle>& rectangles);

/// Whether a rectangle of `apart`, no two of which meet, shares a point with one of `others`. Each of `others` begins
/// at column 0, ends at column `end`, or is `width` wide. Takes n log n time.
bool any_meet(const std::vector<Rectangle>& apart, const std::vector<Rectangle>& others, std::uint64_t width,
              std::uint64_t end);

}  // namespace tilewright::detail
