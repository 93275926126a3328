// The rectangles of a triangle outside its diagonal blocks, in levels of equal ones.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::detail {

/// Equal rectangles below the diagonal of a triangle. The first one has columns [first, first + half) and the `rows`
/// rows after them. Each further one is 2 half rows and columns further along the diagonal. Above the diagonal of an
/// upper triangle, rows and columns are exchanged.
struct TriangleSquares {
  std::uint64_t first = 0;
  std::uint64_t half = 0;
  std::uint64_t rows = 0;  ///< at most half
  std::uint64_t count = 0;

  friend bool operator==(const TriangleSquares&, const TriangleSquares&) = default;
};

/// Returns the rectangles that cover the triangle with rows [begin, end) outside its diagonal blocks of `block` rows,
/// the smallest first. Their number is logarithmic in the number of blocks. Rectangles of one entry share no rows and
/// no columns.
std::vector<TriangleSquares> triangle_squares(std::uint64_t begin, std::uint64_t end, std::uint64_t block);

/// Equal tasks whose three operands are at constant distances, in elements.
struct Repeats {
  std::uint64_t count = 1;
  std::array<std::uint64_t, 3> strides{};
};

/// Calls visit(offsets, batch) for batches that together are every combination of `outer` and `inner` tasks. Each batch
/// runs over the larger of the two; `offsets` are those of its first operands.
template <class Visit>
void visit_batches(Repeats outer, Repeats inner, Visit&& visit) {
  if (outer.count > inner.count) std::swap(outer, inner);
  for (std::uint64_t x = 0; x < outer.count; ++x)
    visit(std::array{x * outer.strides[0], x * outer.strides[1], x * outer.strides[2]}, inner);
}

}  // namespace tilewright::detail
