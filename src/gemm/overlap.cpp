#include "gemm/overlap.hpp"

#include <utility>

namespace tilewright::detail {
namespace {

// Whether the elements [begin, end) meet a row of a matrix that starts at element 0.
bool interval_meets(std::uint64_t begin, std::uint64_t end, const StoredMatrix& matrix) {
  // The first row that ends behind `begin` is the only one that needs a look: later rows start later.
  std::uint64_t row = begin < matrix.columns ? 0 : (begin - matrix.columns) / matrix.ld + 1;
  return row < matrix.rows && row * matrix.ld < end;
}

}  // namespace

bool overlap(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin) {
  if (x.extent() == 0 || y.extent() == 0) return false;
  if (x_begin + x.extent() <= y_begin || y_begin + y.extent() <= x_begin) return false;
  if (x.rows > y.rows) return overlap(y, y_begin, x, x_begin);
  for (std::uint64_t row = 0; row < x.rows; ++row) {
    const std::uint64_t begin = x_begin + row * x.ld;
    const std::uint64_t end = begin + x.columns;
    if (end <= y_begin) continue;
    if (interval_meets(begin < y_begin ? 0 : begin - y_begin, end - y_begin, y)) return true;
  }
  return false;
}

}  // namespace tilewright::detail
