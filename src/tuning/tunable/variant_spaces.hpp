#pragma once

#include <string>
#include <vector>

#include "tuning/search/search_schedule.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// What there is to search for a problem on a device: the variants that can do it, all or those of `wanted`. Of the
/// seeds the hints come first, the last of them foremost.
std::vector<VariantSpace> variant_spaces(const Problem& problem, const DeviceProfile& device,
                                         const std::vector<std::string>& wanted, const std::vector<Choice>& hints);

}  // namespace tilewright::tuning
