#include "spmm/partition.hpp"

namespace tilewright::detail {
namespace {

// The rows that have ended within the first `step` steps of the walk: the end of row i is step offsets[i + 1] + i.
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

template <class Index>
void find_divided_rows(const std::vector<Index>& offsets, Partition& chunks) {
  for (std::size_t g = 1; g + 1 < chunks.row.size(); ++g) {
    const auto begin = static_cast<std::uint64_t>(offsets[chunks.row[g]]);
    if (chunks.element[g] > begin && chunks.element[g - 1] <= begin) chunks.divided.push_back(g - 1);
  }
}

}  // namespace

Partition partition(const AnyRows& any, std::uint64_t steps, bool whole_rows) {
  return std::visit(
      [&](const auto& rows) {
        const std::uint64_t count = rows.offsets.size() - 1, all = count + rows.columns.size();
        Partition result;
        for (std::uint64_t step = 0; step < all; step += steps) {
          const std::uint64_t row = rows_before(rows.offsets, step);
          const auto begin = static_cast<std::uint64_t>(rows.offsets[row]);
          const auto length = static_cast<std::uint64_t>(rows.offsets[row + 1]) - begin;
          result.row.push_back(row);
          result.element.push_back(whole_rows && length <= steps / 8 ? begin : step - row);
        }
        result.row.push_back(count);
        result.element.push_back(rows.columns.size());
        find_divided_rows(rows.offsets, result);
        return result;
      },
      any);
}

}  // namespace tilewright::detail
