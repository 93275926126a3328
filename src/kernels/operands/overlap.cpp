#include "kernels/operands/overlap.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/operands/rectangles.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::detail {
namespace {

using Integer = std::int64_t;

Integer integer(std::uint64_t x) { return static_cast<Integer>(x); }

// Whether all elements of the matrix are contiguous.
bool is_run(const StoredMatrix& m) { return m.rows == 1 || m.columns == m.ld; }

// An element of x is at x_begin + i ld + t s + column for row i of matrix t, where s is the stride. It coincides with
// one of y if the multiples of the leading dimensions and strides meet in a window as wide as both rows. The multiples
// of y are counted from their ends, so that all terms are added.
Answer strided_overlap(const StoredMatrix& x, std::uint64_t x_begin, const BatchOffsets& x_places,
                       const StoredMatrix& y, std::uint64_t y_begin, const BatchOffsets& y_places) {
  const Integer from = integer(y_begin) - integer(x_begin) + integer((y.rows - 1) * y.ld) +
                       integer((y_places.count() - 1) * y_places.stride());
  return any_sum_in(
      {{x.ld, x.rows}, {x_places.stride(), x_places.count()}, {y.ld, y.rows}, {y_places.stride(), y_places.count()}},
      from - integer(x.columns - 1), from + integer(y.columns - 1));
}

// Adds a matrix to a plane whose rows have `row` elements: the matrix's ld, or any number if the matrix is contiguous.
void append_rectangles(std::vector<Rectangle>& plane, const StoredMatrix& m, std::uint64_t begin, std::uint64_t row,
                       std::uint64_t owner) {
  const std::uint64_t top = begin / row, left = begin % row;
  if (!is_run(m)) {
    const std::uint64_t right = left + m.columns;
    plane.push_back({top, top + m.rows, left, std::min(right, row), owner});
    if (right > row) plane.push_back({top + 1, top + 1 + m.rows, 0, right - row, owner});
    return;
  }
  const std::uint64_t end = begin + m.extent(), bottom = end / row;
  if (top == bottom) return plane.push_back({top, top + 1, left, end % row, owner});
  plane.push_back({top, top + 1, left, row, owner});
  plane.push_back({top + 1, bottom, 0, row, owner});
  plane.push_back({bottom, bottom + 1, 0, end % row, owner});
}

std::vector<std::uint64_t> sorted_begins(const PlacedMatrices& placed) {
  std::vector<std::uint64_t> begins(placed.places.count());
  for (std::uint64_t x = 0; x < begins.size(); ++x) begins[x] = placed.begin + placed.places[x];
  std::sort(begins.begin(), begins.end());
  return begins;
}

std::vector<Rectangle> rectangles(const StoredMatrix& matrix, const std::vector<std::uint64_t>& begins,
                                  std::uint64_t row) {
  std::vector<Rectangle> plane;
  plane.reserve(2 * begins.size());
  for (std::size_t i = 0; i < begins.size(); ++i) append_rectangles(plane, matrix, begins[i], row, i);
  return plane;
}

constexpr std::uint64_t one_row = std::uint64_t{1} << 62;  // longer than any buffer

// Compares every pair whose extents meet, up to a bound.
Answer overlap_of_pairs(const StoredMatrix& x, const std::vector<std::uint64_t>& x_begins, const StoredMatrix& y,
                        const std::vector<std::uint64_t>& y_begins) {
  std::size_t pairs = (std::size_t{1} << 14) + 4 * (x_begins.size() + y_begins.size());
  for (const std::uint64_t begin : x_begins) {
    // Visits the matrices that begin before this one ends, except those that end before it begins.
    const std::uint64_t reach = begin < y.extent() ? 0 : begin - y.extent() + 1;
    for (auto at = std::lower_bound(y_begins.begin(), y_begins.end(), reach);
         at != y_begins.end() && *at < begin + x.extent(); ++at) {
      if (overlap(x, begin, y, *at)) return Answer::yes;
      if (--pairs == 0) return Answer::unknown;
    }
  }
  return Answer::no;
}

}  // namespace

bool overlap(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin) {
  if (x.extent() == 0 || y.extent() == 0) return false;
  if (x_begin + x.extent() <= y_begin || y_begin + y.extent() <= x_begin) return false;
  const BatchOffsets one(1, 0);
  return strided_overlap(x, x_begin, one, y, y_begin, one) == Answer::yes;
}

std::optional<std::uint64_t> first_overlap(const StoredMatrix& m, std::uint64_t stride, std::uint64_t count) {
  if (m.extent() == 0 || count <= 1) return {};
  // Compares matrices 1 to `last` with the first, whose rows are counted from the other's last row.
  const auto meets = [&](std::uint64_t last) {
    const Integer from = integer((m.rows - 1) * m.ld) - integer(stride);
    return any_sum_in({{stride, last}, {m.ld, 2 * m.rows - 1}}, from - integer(m.columns - 1),
                      from + integer(m.columns - 1)) == Answer::yes;
  };
  std::uint64_t apart = 0;  // this many do not meet the first
  std::uint64_t meeting = count - 1;
  if (stride > 0) meeting = std::min(meeting, (m.extent() - 1) / stride);
  if (meeting == 0 || !meets(meeting)) return {};
  while (meeting - apart > 1) {
    const std::uint64_t middle = apart + (meeting - apart) / 2;
    (meets(middle) ? meeting : apart) = middle;
  }
  return meeting;
}

void check_batch_apart(const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                       std::uint64_t count) {
  const auto x = first_overlap(matrix, stride, count);
  if (!x) return;
  const std::string name = label.name;
  throw Error(ErrorCode::overlapping_operands, label.operand,
              "stride_" + lower_case(to_string(label.operand)) + " is " + std::to_string(stride) + ", so " + name +
                  " number 0 and " + name + " number " + std::to_string(*x) +
                  " of the batch share elements; use a larger stride");
}

PlacedMatrices in_parts(const PlacedMatrices& placed, std::uint64_t parts) {
  const StoredMatrix& m = placed.matrix;
  const std::uint64_t ld = m.rows <= 1 ? m.columns : m.ld;  // a single row may have any ld
  return {{m.rows, m.columns * parts, ld * parts}, placed.places.in_parts(parts), placed.begin * parts};
}

std::optional<std::uint64_t> overlap_within(const PlacedMatrices& placed) {
  const StoredMatrix& m = placed.matrix;
  if (m.extent() == 0 || placed.places.count() <= 1) return {};
  const auto begins = sorted_begins(placed);
  const auto close = std::adjacent_find(begins.begin(), begins.end(),
                                        [&](std::uint64_t one, std::uint64_t next) { return next - one < m.extent(); });
  if (close == begins.end()) return {};
  if (is_run(m) || *close == close[1]) return close[1] - *close;
  const auto pair = meeting_pair(rectangles(m, begins, m.ld));
  if (!pair) return {};
  const auto [one, other] = std::minmax(begins[pair->first], begins[pair->second]);
  return other - one;
}

Answer overlap(const PlacedMatrices& x, const PlacedMatrices& y) {
  if (x.matrix.extent() == 0 || y.matrix.extent() == 0 || x.places.count() == 0 || y.places.count() == 0)
    return Answer::no;
  if (x.end() <= y.first() || y.end() <= x.first()) return Answer::no;
  if (!x.places.by_offsets() && !y.places.by_offsets())
    return strided_overlap(x.matrix, x.begin, x.places, y.matrix, y.begin, y.places);

  const auto x_begins = sorted_begins(x);
  auto y_begins = sorted_begins(y);
  y_begins.erase(std::unique(y_begins.begin(), y_begins.end()), y_begins.end());
  const bool x_runs = is_run(x.matrix), y_runs = is_run(y.matrix);
  if (!x_runs && !y_runs && x.matrix.ld != y.matrix.ld) return overlap_of_pairs(x.matrix, x_begins, y.matrix, y_begins);
  const std::uint64_t row = x_runs && y_runs ? one_row : x_runs ? y.matrix.ld : x.matrix.ld;
  const std::uint64_t width = y_runs ? y.matrix.extent() : y.matrix.columns;
  return any_meet(rectangles(x.matrix, x_begins, row), rectangles(y.matrix, y_begins, row), width, row) ? Answer::yes
                                                                                                        : Answer::no;
}

}  // namespace tilewright::detail
