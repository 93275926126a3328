// Whether records of some problems improve the choices for others.
// Each problem is chosen for by the records of all others. The time of that choice is known, because a tuning run times
// its winners on every problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "selection/problem_fields.hpp"
#include "selection/selector.hpp"

namespace tilewright::detail {

template <class Problem>
struct CrossValidation {
  std::vector<Problem> only_own{};  ///< problems whose records should not be used for others
  std::size_t judged = 0;           ///< number of problems that were chosen for
  double log_gain = 0;  ///< sum of the logarithmic gains over untuned choices, without the records that lost

  double gain() const { return judged == 0 ? 1 : std::exp(log_gain / static_cast<double>(judged)); }
};

/// Judges records whose times are comparable. A problem is put into only_own if choices for others by its records lose.
/// All problems are if the remaining gain is less than the error of choices.
template <class Problem>
CrossValidation<Problem> cross_validate_kind(std::vector<Record<Problem>> records, const DeviceProfile& device) {
  using Op = Operation<Problem>;
  constexpr std::size_t enough = 3;  // problems needed for a judgement
  std::map<std::string, Problem> problems, lost;
  for (Record<Problem>& record : records) {
    record.only_own = false;
    problems.emplace(problem_key(record.problem), record.problem);
  }
  CrossValidation<Problem> result;
  for (bool found = true; found;) {
    std::map<std::string, double> gains;  // sums of logarithms per problem whose record was the nearest to a choice
    result = {};
    for (const auto& [key, problem] : problems) {
      Records<Problem> others;
      for (const Record<Problem>& record : records)
        if (!lost.contains(problem_key(record.problem)) && Op::distance(record.problem, problem) > 0)
          others.records.push_back(record);
      const RecordBook<Problem> book(std::move(others), device);
      const auto predictions = book.predict(problem, device);
      if (predictions.empty()) continue;
      const Prediction<Problem>& first = predictions.front();
      if (why_untuned(Op::untuned(problem, device), book, problem, predictions).empty()) {
        const auto same = std::find_if(records.begin(), records.end(), [&, &own = key](const Record<Problem>& record) {
          return problem_key(record.problem) == own && record.variant == first.variant->name &&
                 values_of(*first.variant, record.configuration) == first.values;
        });
        if (same == records.end()) continue;
        const double gain = std::log(same->untuned_seconds / same->seconds);
        gains[problem_key(first.nearest->problem)] += gain;
        result.log_gain += gain;
      }
      ++result.judged;
    }
    found = false;
    for (const auto& [key, gain] : gains)
      if (gain < 0) found = lost.emplace(key, problems.at(key)).second || found;
  }
  const bool all = result.judged >= enough && result.gain() < min_gain;
  for (const auto& [key, problem] : all ? problems : lost) result.only_own.push_back(problem);
  return result;
}

/// Judges all records of a device, kind by kind.
template <class Problem>
CrossValidation<Problem> cross_validate(std::vector<Record<Problem>> records, const DeviceProfile& device) {
  CrossValidation<Problem> result;
  while (!records.empty()) {
    std::vector<Record<Problem>> kind, rest;
    for (Record<Problem>& record : records)
      (Operation<Problem>::same_kind(records.front().problem, record.problem) ? kind : rest).push_back(record);
    CrossValidation<Problem> found = cross_validate_kind(std::move(kind), device);
    result.only_own.insert(result.only_own.end(), found.only_own.begin(), found.only_own.end());
    result.judged += found.judged;
    result.log_gain += found.log_gain;
    records = std::move(rest);
  }
  return result;
}

}  // namespace tilewright::detail
