// Configurations that the search of a variant tries first.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/configuration_check.hpp"
#include "runtime/system/embedded_file.hpp"
#include "selection/record_file.hpp"

namespace tilewright::tuning {

/// Returns configurations of a variant that were good somewhere and keep the rules for a normalized problem. They come
/// from the variant's preferences for CPUs and for GPUs, and from the shipped records of all devices. Each appears
/// once.
template <class P>
std::vector<Configuration> variant_seeds(const detail::Variant<P>& variant, const P& problem,
                                         const DeviceProfile& device) {
  std::vector<Configuration> result;
  const auto add = [&](const detail::ParameterValues& values) {
    Configuration configuration = detail::configuration_of(variant, values);
    if (std::find(result.begin(), result.end(), configuration) == result.end() &&
        detail::violation(variant, values, problem, device).empty())
      result.push_back(std::move(configuration));
  };
  for (const DeviceType type : {device.type, DeviceType::gpu, DeviceType::cpu}) {
    DeviceProfile other = device;
    other.type = type;
    for (const detail::ParameterValues& preference : variant.preferences(problem, other)) {
      add(preference);
      for (const detail::Strategy& strategy : variant.strategies) {
        detail::ParameterValues changed = preference;
        for (const detail::ParameterSetting& setting : strategy) changed.set(setting);
        add(changed);
      }
    }
  }
  for (const detail::EmbeddedFile& shipped : detail::embedded_records())
    for (const Record<P>& record : detail::parse_records<P>(shipped.text, std::string(shipped.path)).records)
      if (record.variant == variant.name && detail::Operation<P>::same_kind(record.problem, problem))
        add(detail::values_of(variant, record.configuration));
  return result;
}

}  // namespace tilewright::tuning
