#include "tuning/report/influence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tuning/measure/median.hpp"

namespace tilewright::tuning {
namespace {

using Groups = std::map<std::int64_t, std::vector<double>>;  // seconds by value

double mean_logarithm(const std::vector<double>& seconds) {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0,
                         [](double sum, double value) { return sum + std::log(value); }) /
         static_cast<double>(seconds.size());
}

// Omega squared: (between - (groups - 1) error) / (total + error), where error is the mean square within groups.
double explained_share(const Groups& groups) {
  std::vector<double> all;
  for (const auto& [value, seconds] : groups) all.insert(all.end(), seconds.begin(), seconds.end());
  if (all.size() <= groups.size()) return 0;
  const double mean = mean_logarithm(all);
  double between = 0, within = 0;
  for (const auto& [value, seconds] : groups) {
    const double group_mean = mean_logarithm(seconds);
    between += static_cast<double>(seconds.size()) * std::pow(group_mean - mean, 2);
    for (const double time : seconds) within += std::pow(std::log(time) - group_mean, 2);
  }
  const double error = within / static_cast<double>(all.size() - groups.size());
  const double total = between + within + error;
  return total > 0 ? std::max(0.0, (between - static_cast<double>(groups.size() - 1) * error) / total) : 0;
}

}  // namespace

std::vector<ParameterInfluence> parameter_influence(const std::vector<ReportTrial>& trials,
                                                    const std::string& variant) {
  std::vector<std::string> names;  // in the order of declaration
  std::map<std::string, Groups> by_parameter;
  for (const ReportTrial& tried : trials) {
    if (tried.choice->variant != variant || !tried.timed()) continue;
    for (const auto& [name, value] : tried.choice->configuration) {
      if (!by_parameter.contains(name)) names.push_back(name);
      by_parameter[name][value].push_back(tried.seconds);
    }
  }
  std::vector<ParameterInfluence> result;
  for (const std::string& name : names) {
    const Groups& groups = by_parameter[name];
    if (groups.size() < 2) continue;
    ParameterInfluence influence{name, explained_share(groups), {}};
    for (const auto& [value, seconds] : groups)
      influence.values.push_back(
          {value, seconds.size(), *std::min_element(seconds.begin(), seconds.end()), median(seconds)});
    result.push_back(std::move(influence));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& left, const auto& right) { return left.explained > right.explained; });
  return result;
}

}  // namespace tilewright::tuning
