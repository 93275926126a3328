#include "verification/gemm/configurations.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "gemm/problem_json.hpp"
#include "gemm/selector.hpp"
#include "gemm/variant.hpp"
#include "kernels/configuration_check.hpp"
#include "runtime/system/embedded_file.hpp"
#include "selection/device_identity.hpp"
#include "selection/record_file.hpp"
#include "tilewright/error.hpp"

namespace tilewright::verification {
namespace {

GemmProblem some_problem(DataType type, Accuracy accuracy) {
  return {.type = type, .accuracy = accuracy, .m = 64, .n = 64, .k = 64};
}

// Returns the complete configuration of a choice; empty if it breaks a constraint.
Configuration completed(const DeviceProfile& device, const VariantInfo& variant, const GemmProblem& problem,
                        const Configuration& changes) {
  try {
    // Without records: reading them for thousands of draws would take a minute.
    return detail::select<GemmProblem>(device, {}, detail::normalized(problem), {variant.name, changes})
        .configuration();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_configuration) throw;
    return {};
  }
}

void add_once(std::vector<Configuration>& list, const Configuration& configuration) {
  if (!configuration.empty() && std::find(list.begin(), list.end(), configuration) == list.end())
    list.push_back(configuration);
}

}  // namespace

std::vector<Configuration> selectable_configurations(const DeviceProfile& device, const VariantInfo& variant,
                                                     DataType type, Accuracy accuracy) {
  std::vector<Configuration> result;
  const GemmProblem problem = some_problem(type, accuracy);
  std::vector<Configuration> strategies = variant.strategies;
  strategies.insert(strategies.begin(), Configuration{});
  for (const Configuration& strategy : strategies) add_once(result, completed(device, variant, problem, strategy));

  const detail::GemmVariant& internal = detail::find_variant<GemmProblem>(variant.name);
  for (const DeviceType kind : {device.type, DeviceType::cpu, DeviceType::gpu}) {
    DeviceProfile profile = device;
    profile.type = kind;
    for (const detail::ParameterValues& preference : internal.preferences(detail::normalized(problem), profile))
      for (const Configuration& strategy : strategies) {
        Configuration configuration = detail::configuration_of(internal, preference);
        configuration.merge(strategy);
        add_once(result, completed(device, variant, problem, configuration));
      }
  }
  return result;
}

std::vector<Configuration> recorded_configurations(const DeviceProfile& device, const VariantInfo& variant,
                                                   DataType type, Accuracy accuracy) {
  std::vector<Configuration> result;
  const GemmProblem problem = some_problem(type, accuracy);
  for (const detail::EmbeddedFile& shipped : detail::embedded_records()) {
    const auto file = detail::parse_records<GemmProblem>(shipped.text, std::string(shipped.path));
    if (file.header.family != detail::device_family(device)) continue;  // never selected here
    for (const Record<GemmProblem>& record : file.records)
      if (record.variant == variant.name && record.problem.type == type && record.problem.accuracy == accuracy)
        add_once(result, completed(device, variant, problem, record.configuration));
  }
  return result;
}

std::vector<Configuration> drawn_configurations(const DeviceProfile& device, const VariantInfo& variant, DataType type,
                                                std::size_t count, std::int64_t largest, Accuracy accuracy) {
  const GemmProblem problem = some_problem(type, accuracy);
  std::mt19937_64 random(variant.name.size() + variant.parameters.size());
  std::vector<Configuration> valid;
  // One configuration is the first of them, because none is shown yet.
  const std::size_t candidates = count == 1 ? 1 : 200;
  for (int attempt = 0; attempt < 20000 && valid.size() < candidates; ++attempt) {
    Configuration drawn;
    for (const Parameter& parameter : variant.parameters) {
      std::vector<std::int64_t> small = parameter.values;
      std::erase_if(small, [&](std::int64_t value) { return value > largest; });
      if (small.empty()) small.push_back(parameter.values.front());
      drawn.set(parameter.name, small[random() % small.size()]);
    }
    add_once(valid, completed(device, variant, problem, drawn));
  }

  std::vector<Configuration> chosen;
  std::set<Configuration::Entry> shown;
  while (chosen.size() < count && !valid.empty()) {
    const auto news = [&](const Configuration& configuration) {
      return std::count_if(configuration.begin(), configuration.end(),
                           [&](const Configuration::Entry& entry) { return !shown.contains(entry); });
    };
    const auto best = std::max_element(valid.begin(), valid.end(),
                                       [&](const auto& left, const auto& right) { return news(left) < news(right); });
    shown.insert(best->begin(), best->end());
    chosen.push_back(std::move(*best));
    valid.erase(best);
  }
  return chosen;
}

Configuration largest_private_configuration(const DeviceProfile& device, const VariantInfo& variant, DataType type) {
  const detail::GemmVariant& internal = detail::find_variant<GemmProblem>(variant.name);
  const GemmProblem problem = detail::normalized(
      {.type = type, .trans_a = Transpose::yes, .trans_b = Transpose::no, .m = 64, .n = 64, .k = 64});
  Configuration largest;
  double most = -1;
  // Returns whether a configuration is valid and larger than those before.
  const auto is_larger = [&](const Configuration& drawn) {
    const detail::ParameterValues values = detail::values_of(internal, drawn);
    detail::Execution execution;
    if (!detail::violation(internal, values, problem, device, execution).empty()) return false;
    auto bytes = static_cast<double>(internal.memory.private_bytes(values, problem, device));
    if (device.type == DeviceType::cpu)
      for (const detail::Launch& pass : execution.launches)
        if (std::string_view(pass.kernel) == "gemm")
          for (const std::size_t along : pass.local) bytes *= static_cast<double>(along);
    if (bytes <= most) return false;
    most = bytes;
    largest = drawn;
    return true;
  };
  std::mt19937_64 random(1);
  for (int attempt = 0; attempt < 2000; ++attempt) {
    Configuration drawn;
    for (const Parameter& parameter : variant.parameters)
      drawn.set(parameter.name, parameter.values[random() % parameter.values.size()]);
    is_larger(drawn);
  }
  for (bool has_grown = most >= 0; has_grown;) {
    has_grown = false;
    for (const Parameter& parameter : variant.parameters)
      for (const std::int64_t value : parameter.values) {
        Configuration changed = largest;
        changed.set(parameter.name, value);
        has_grown = is_larger(changed) || has_grown;
      }
  }
  return largest;
}

}  // namespace tilewright::verification
