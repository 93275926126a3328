// The search spaces of a problem's variants.
#pragma once

#include <string>
#include <vector>

#include "tuning/search/search_schedule.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// Returns the search spaces of a problem on a device: of all variants that support it, or of those in `wanted`. The
/// hints come first among the seeds, in reverse order.
std::vector<VariantSpace> variant_spaces(const Problem& problem, const DeviceProfile& device,
                                         const std::vector<std::string>& wanted, const std::vector<Choice>& hints);

}  // namespace tilewright::tuning
