#include "spmm/partition.hpp"

namespace tilewright::detail {
namespace {

// Returns the number of rows that end within the first `step` steps. The end of row i is step offsets[i + 1] + i.
template <class Index>
std::uint64_t rows_before(const std::vector<Index>& offsets, std::uint64_t step) {
  std::uint64_t first = 0, last = offsets.size() - 1;
  while (first < last) {
    const std::uint64_t middle = (first + last) / 2;
    if (static_cast<std::uint64_t>(offsets[middle + 1]) + middle < step)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

// The elements of a row.
struct Row {
  std::uint64_t begin, end;
};

template <class Index>
Row row_at(const std::vector<Index>& offsets, std::uint64_t row) {
  return {static_cast<std::uint64_t>(offsets[row]), static_cast<std::uint64_t>(offsets[row + 1])};
}

bool is_short(const Row& row, std::uint64_t steps) { return row.end - row.begin <= steps / 4; }

template <class Index>
void find_divided_rows(const std::vector<Index>& offsets, Partition& chunks) {
  for (std::size_t g = 1; g + 1 < chunks.row.size(); ++g) {
    const auto begin = static_cast<std::uint64_t>(offsets[chunks.row[g]]);
    if (chunks.element[g] <= begin) continue;
    if (chunks.element[g - 1] <= begin) chunks.divided.insert(chunks.divided.end(), {g - 1, g});
    chunks.divided.back() = g;
  }
}

template <class Rows>
Partition finished(Partition chunks, const Rows& rows) {
  chunks.append(rows.offsets.size() - 1, rows.columns.size());
  find_divided_rows(rows.offsets, chunks);
  return chunks;
}

}  // namespace

Partition even_chunks(const AnyRows& any, std::uint64_t steps) {
  return std::visit(
      [&](const auto& rows) {
        const std::uint64_t count = rows.offsets.size() - 1, all = count + rows.columns.size();
        Partition result;
        for (std::uint64_t step = 0; step < all; step += steps) {
          const std::uint64_t row = rows_before(rows.offsets, step);
          const Row place = row_at(rows.offsets, row);
          result.append(row, is_short(place, steps) ? place.begin : step - row);
        }
        return finished(std::move(result), rows);
      },
      any);
}

Partition full_chunks(const AnyRows& any, std::uint64_t steps) {
  return std::visit(
      [&](const auto& rows) {
        const std::uint64_t count = rows.offsets.size() - 1;
        Partition result;
        for (std::uint64_t row = 0, element = 0; row < count;) {
          result.append(row, element);
          const Row first = row_at(rows.offsets, row);
          if (!is_short(first, steps)) {
            const bool ends = first.end - element < steps;
            element = ends ? first.end : element + steps;
            row += ends ? 1 : 0;
            continue;
          }
          for (std::uint64_t room = steps; row < count; ++row) {
            const Row next = row_at(rows.offsets, row);
            if (!is_short(next, steps) || next.end - next.begin >= room) break;
            room -= next.end - next.begin + 1;
            element = next.end;
          }
        }
        return finished(std::move(result), rows);
      },
      any);
}

}  // namespace tilewright::detail
