#include "tuning/portfolio.hpp"

#include <algorithm>

#include "gemm/configuration_check.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "records/record_file.hpp"
#include "runtime/embedded_file.hpp"

namespace tilewright::tuning {

Trial untuned_trial(const DeviceProfile& device, const GemmProblem& problem) {
  const detail::GemmSelection selection = detail::select_gemm(device, {}, problem, {});
  return {problem, selection.variant->name, selection.configurations.front()};
}

std::vector<Configuration> portfolio(const DeviceProfile& device, std::string_view variant,
                                     const GemmProblem& problem) {
  const detail::GemmVariant& found = detail::find_gemm_variant(variant);
  std::vector<Configuration> result;
  const auto add = [&](const Configuration& configuration) {
    if (std::find(result.begin(), result.end(), configuration) == result.end() &&
        detail::broken_rule(found, configuration, problem, device).empty())
      result.push_back(configuration);
  };
  for (const DeviceType type : {device.type, DeviceType::gpu, DeviceType::cpu}) {
    DeviceProfile other = device;
    other.type = type;
    for (const Configuration& preference : found.preferences(problem, other)) {
      add(preference);
      for (const Configuration& strategy : found.strategies) {
        Configuration changed = preference;
        changed.merge(strategy);
        add(changed);
      }
    }
  }
  for (const detail::EmbeddedFile& shipped : detail::embedded_records())
    for (const GemmRecord& record : detail::parse_records(shipped.text, std::string(shipped.path)).records)
      if (record.variant == variant && record.problem.type == problem.type) add(record.configuration);
  return result;
}

}  // namespace tilewright::tuning
