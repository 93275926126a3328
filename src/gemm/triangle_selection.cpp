#include "gemm/triangle_selection.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

std::optional<GemmSelection> selection_for_triangle(const GemmSelection& for_rectangle, const CoreProduct& product,
                                                    const DeviceProfile& device) {
  const GemmVariant& variant = *for_rectangle.variant;
  GemmSelection selection{&variant, {}, for_rectangle.reason};
  std::string broken;
  const std::vector<ParameterValues> candidates =
      for_rectangle.has_more ? usable_configurations(variant, product, device, {}, broken) : for_rectangle.values;
  for (const ParameterValues& values : candidates)
    if (variant.computes_part(values, product) && violation(variant, values, product, device).empty())
      selection.values.push_back(values);
  if (selection.values.empty()) return {};
  return selection;
}

}  // namespace tilewright::detail
