// The influence of a variant's parameters on its speed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuning/report/report_trials.hpp"

namespace tilewright::tuning {

/// The speeds measured with one value of a parameter.
struct ValueInfluence {
  std::int64_t value = 0;
  std::size_t count = 0;
  double best_seconds = 0;
  double median_seconds = 0;
};

struct ParameterInfluence {
  std::string parameter;
  /// The share of the variance of the logarithm of the time that the parameter's values explain alone, from 0 to 1. It
  /// is omega squared from the analysis of variance, which corrects for chance.
  double explained = 0;
  std::vector<ValueInfluence> values;  ///< ascending
};

/// Returns how the parameters of one variant change its speed, those that explain most first. Leaves out parameters
/// with only one value. Searches try more configurations in fast regions, so this describes the run, not the whole
/// space.
std::vector<ParameterInfluence> parameter_influence(const std::vector<ReportTrial>& trials, const std::string& variant);

}  // namespace tilewright::tuning
