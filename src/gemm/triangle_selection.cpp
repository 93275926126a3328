#include "gemm/triangle_selection.hpp"

#include <algorithm>
#include <cstdint>

namespace tilewright::detail {
namespace {

// Columns that the rectangle has more than the triangle: half of a common tile.
constexpr std::uint64_t additional_columns = 64;

}  // namespace

GemmProblem rectangle_like(const CoreProduct& product) {
  GemmProblem rectangle = product;
  const std::uint64_t parts = product.triangle->parts, columns = product.n / parts;
  const bool is_lower = product.triangle->uplo == Uplo::lower;
  rectangle.m = is_lower ? product.m - columns / 2 : (product.m + 1) / 2;
  if (!is_lower) rectangle.n += product.n - parts * product.m;
  rectangle.n += parts * std::min({product.m, columns, additional_columns});
  return rectangle;
}

}  // namespace tilewright::detail
