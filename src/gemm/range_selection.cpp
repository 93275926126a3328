#include "gemm/range_selection.hpp"

#include <algorithm>
#include <cstdint>

#include "gemm/part_selection.hpp"

namespace tilewright::detail {
namespace {

// A product whose k is divided may be faster than one range per tile. The blocks that replace the range take many
// launches, so it may still take this factor longer.
constexpr double max_ratio = 2;

// Compares the product with the one for which the variant was selected. Without a model, every compute unit needs a
// tile.
bool is_fast(const GemmSelection& for_shallow, const CoreProduct& product, const ParameterValues& values,
             const DeviceProfile& device) {
  const GemmVariant& variant = *for_shallow.variant;
  const Execution ranged = variant.execution(values, product, device);
  if (ranged.cycles > 0)
    return ranged.cycles <=
           max_ratio * variant.execution(for_shallow.values.front(), shallow_like(product), device).cycles;
  const auto products = static_cast<double>(std::max<std::uint64_t>(1, product.batch.count));
  return products * groups_of(ranged.launches.back()) >= device.compute_units;
}

}  // namespace

GemmProblem shallow_like(const CoreProduct& product) {
  GemmProblem shallow = product;
  shallow.k = mean_depth(*product.k_range, product.k);
  return shallow;
}

std::optional<GemmSelection> selection_for_range(const GemmSelection& for_shallow, const CoreProduct& product,
                                                 const DeviceProfile& device, bool is_chosen) {
  auto selection = selection_for_part(for_shallow, product, device);
  if (!selection) return {};
  if (!is_chosen && !is_fast(for_shallow, product, selection->values.front(), device)) return {};
  return selection;
}

}  // namespace tilewright::detail
