// Whether what was measured for some problems helps with others: each is chosen for by the records of all the others,
// and what the choice takes is known, as winners are timed on every problem of a tuning run.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "selection/selector.hpp"

namespace tilewright::detail {

template <class Problem>
struct CarryOver {
  std::vector<Problem> only_own{};  ///< whose records are better not used for others
  std::size_t judged = 0;           ///< problems that were chosen for
  double gain = 1;                  ///< over untuned, their geometric mean, without the records of only_own
};

/// `records`: of one device, of the problems to judge and of all that speaks for them. A problem whose records lose
/// where others are chosen for by them is left out, and all are where what remains gains less than choices err.
template <class Problem>
CarryOver<Problem> carry_over(std::vector<Record<Problem>> records, const DeviceProfile& device) {
  using Op = Operation<Problem>;
  std::map<std::string, Problem> problems;
  for (const Record<Problem>& record : records) problems.emplace(Op::key(record.problem), record.problem);
  CarryOver<Problem> result;
  for (;;) {
    std::map<std::string, double> gains;  // by the problem whose records a choice leans on: logarithms, summed
    double all = 0;
    result.judged = 0;
    for (const auto& [key, problem] : problems) {
      Records<Problem> others;
      for (const Record<Problem>& record : records)
        if (Op::key(record.problem) != key) others.records.push_back(record);
      const RecordBook<Problem> book(std::move(others), device);
      const auto predictions = book.predict(problem, device);
      if (predictions.empty()) continue;
      const Prediction<Problem>& first = predictions.front();
      double gain = 0;
      if (why_untuned(Op::untuned(problem, device), book, problem, predictions).empty()) {
        const auto same = std::find_if(records.begin(), records.end(), [&, &own = key](const Record<Problem>& record) {
          return Op::key(record.problem) == own && record.variant == first.variant->name &&
                 record.configuration == first.configuration;
        });
        if (same == records.end()) continue;
        gain = std::log(same->untuned_seconds / same->seconds);
        gains[Op::key(first.nearest->problem)] += gain;
      }
      all += gain;
      ++result.judged;
    }
    result.gain = result.judged == 0 ? 1 : std::exp(all / static_cast<double>(result.judged));
    const std::size_t before = result.only_own.size();
    for (const auto& [key, gain] : gains) {
      if (gain >= 0) continue;
      result.only_own.push_back(problems.at(key));
      for (Record<Problem>& record : records)
        if (Op::key(record.problem) == key) record.only_own = true;
    }
    if (result.only_own.size() == before) break;
  }
  constexpr std::size_t enough = 3;  // problems that tell
  if (result.judged >= enough && result.gain < least_gain) {
    result.only_own.clear();
    for (const auto& [key, problem] : problems) result.only_own.push_back(problem);
  }
  return result;
}

}  // namespace tilewright::detail
