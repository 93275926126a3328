#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuning/report/report_trials.hpp"

namespace tilewright::tuning {

/// The speeds that were measured with one value of a parameter.
struct ValueInfluence {
  std::int64_t value = 0;
  std::size_t count = 0;
  double best_seconds = 0;
  double median_seconds = 0;
};

struct ParameterInfluence {
  std::string parameter;
  /// The share of the variance of the logarithm of the time that the parameter's values explain by themselves, as
  /// analysis of variance counts it (omega squared): corrected for chance, 0 to 1.
  double explained = 0;
  std::vector<ValueInfluence> values;  ///< ascending
};

/// How the parameters of one variant change its speed, those that explain most first. Parameters that had one value
/// only are left out. Searches look longer where it is fast, so this describes the run, not the whole space.
std::vector<ParameterInfluence> parameter_influence(const std::vector<ReportTrial>& trials, const std::string& variant);

}  // namespace tilewright::tuning
