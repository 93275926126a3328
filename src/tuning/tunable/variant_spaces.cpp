#include "tuning/tunable/variant_spaces.hpp"

#include <algorithm>

namespace tilewright::tuning {

std::vector<VariantSpace> variant_spaces(const Problem& problem, const DeviceProfile& device,
                                         const std::vector<std::string>& wanted, const std::vector<Choice>& hints) {
  std::vector<VariantSpace> result;
  for (const std::string& variant : problem->variants(device)) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), variant) == wanted.end()) continue;
    std::vector<Configuration> seeds = problem->seeds(variant, device);
    for (const Choice& hint : hints)
      if (hint.variant == variant && std::find(seeds.begin(), seeds.end(), hint.configuration) == seeds.end())
        seeds.insert(seeds.begin(), hint.configuration);
    result.push_back({variant, problem->space(variant, device), std::move(seeds)});
  }
  return result;
}

}  // namespace tilewright::tuning
