#include "gemm/part_selection.hpp"

#include <string>
#include <vector>

namespace tilewright::detail {

std::optional<GemmSelection> selection_for_part(const GemmSelection& for_whole, const CoreProduct& product,
                                                const DeviceProfile& device) {
  const GemmVariant& variant = *for_whole.variant;
  GemmSelection selection{&variant, {}, for_whole.reason};
  std::string broken;
  const std::vector<ParameterValues> candidates =
      for_whole.has_more ? usable_configurations(variant, product, device, {}, broken) : for_whole.values;
  for (const ParameterValues& values : candidates)
    if (variant.computes_part(values, product) && violation(variant, values, product, device).empty())
      selection.values.push_back(values);
  if (selection.values.empty()) return {};
  return selection;
}

}  // namespace tilewright::detail
