// Predicts from records which configuration is best for a problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/configuration_check.hpp"
#include "selection/operation.hpp"
#include "selection/problem_fields.hpp"
#include "selection/record_key.hpp"
#include "selection/usable_configurations.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

template <class Problem>
struct Prediction {
  const Variant<Problem>* variant = nullptr;
  ParameterValues values;                    ///< of its parameters
  double seconds = 0;                        ///< predicted
  const Record<Problem>* nearest = nullptr;  ///< the record nearest to the problem, which has the largest weight
  double distance = 0;                       ///< of the nearest record's problem
  bool exact = false;                        ///< the nearest record has exactly this problem
  std::vector<std::string> sources{};        ///< of the records used, each once

  Configuration configuration() const { return configuration_of(*variant, values); }
};

/// Returns the weight of a sample: nearer samples count more. Single timings vary by some per cent, so several are
/// averaged.
double weight_at(double distance);

/// Scales a measured time to the `wanted` work. Time grows with waves of work-groups times the work of one group. Waves
/// and groups include the waste of tiles at the edges and of idle compute units.
double scaled_seconds(double seconds, const GroupWork& measured, const GroupWork& wanted, double compute_units);

/// A problem with its work, which is computed once because a choice reads hundreds of records.
template <class Problem>
struct Weighed {
  explicit Weighed(const Problem& of) : problem(of), work(Operation<Problem>::work(of)) {}

  Problem problem;
  double work;
};

/// Whether a record of `measured` is relevant for `wanted`. Times are not extrapolated far: configurations that are
/// best for small problems are not for large ones.
template <class Problem>
bool is_relevant_for(const Weighed<Problem>& measured, const Weighed<Problem>& wanted) {
  constexpr double far = 4;
  return wanted.work < far * measured.work && far * wanted.work > measured.work &&
         Operation<Problem>::same_kind(measured.problem, wanted.problem);
}

/// Whether `left` is preferred to `right`, two records of one problem. Times of another place or hour do not compare,
/// so the user's records come first. Records with few timings may have been lucky, so those with more timings come
/// next. If both have equally many, the faster is preferred.
template <class Problem>
bool is_better(const Record<Problem>& left, const Record<Problem>& right) {
  if (is_shipped(left) != is_shipped(right)) return is_shipped(right);
  if (left.timings != right.timings) return left.timings > right.timings;
  return left.seconds < right.seconds;
}

/// The records of one device, grouped by variant and configuration. Immutable.
template <class Problem>
class RecordBook {
 public:
  RecordBook() = default;
  RecordBook(RecordBook&&) noexcept = default;  // series and gains point into the set
  RecordBook& operator=(RecordBook&&) noexcept = default;
  RecordBook(Records<Problem> set, const DeviceProfile& device) : set_(std::move(set)) {
    std::map<std::string, std::size_t> series, gains;
    for (const Record<Problem>& record : set_.records) {
      const auto& variant = find_variant<Problem>(record.variant);
      const auto [known, is_new] =
          series.emplace(record.variant + ' ' + to_string(record.configuration), series_.size());
      if (is_new) series_.push_back({&variant, values_of(variant, record.configuration), {}});
      Series& one = series_[known->second];
      one.samples.push_back(
          {&record, Weighed(record.problem), group_work(variant, one.values, record.problem, device)});

      const auto [gain, is_first] =
          gains.emplace(problem_key(record.problem) + (record.same_device ? "" : "elsewhere"), gains_.size());
      if (is_first) gains_.push_back({Weighed(record.problem), record.same_device, &record});
      if (Gain& best = gains_[gain->second]; is_better(record, *best.best)) best.best = &record;
    }
  }

  const Records<Problem>& set() const { return set_; }
  bool empty() const { return series_.empty(); }

  /// Returns every configuration that keeps its rules for a normalized problem and has a relevant record, best first.
  /// If `variant` is given, returns only that variant's configurations.
  ///
  /// Configurations measured on exactly this problem come before all others. Among them, the user's come before the
  /// shipped ones, and then those timed most often. A winner is timed again together with its closest rivals, and a
  /// rival that was lucky once must not beat it.
  ///
  /// A record is relevant for problems of its types with less than four times, and more than a quarter of, its work.
  /// Records of another device are used only if none of this device is relevant, because their times do not compare.
  std::vector<Prediction<Problem>> predict(const Problem& problem, const DeviceProfile& device,
                                           const Variant<Problem>* variant = nullptr) const {
    constexpr double trust = 0.05;  // logarithmic penalty per unit of distance
    if (Operation<Problem>::is_trivial(problem)) return {};
    const Weighed wanted(problem);
    std::vector<const Series*> matching;
    std::map<const Variant<Problem>*, bool> is_supported;
    const auto can_do = [&](const Variant<Problem>* asked) {
      const auto [known, is_new] = is_supported.emplace(asked, false);
      if (is_new) known->second = why_unsupported(*asked, problem, device).empty();
      return known->second;
    };
    for (const Series& series : series_) {
      if (variant != nullptr && variant != series.variant) continue;
      const bool is_relevant = std::any_of(series.samples.begin(), series.samples.end(),
                                           [&](const Sample& sample) { return sample.is_relevant_for(wanted); });
      if (is_relevant && can_do(series.variant) && violation(*series.variant, series.values, problem, device).empty())
        matching.push_back(&series);
    }
    std::vector<Prediction<Problem>> predictions;
    for (const bool same_device : {true, false}) {
      for (const Series* series : matching)
        if (auto prediction = predict(*series, wanted, device, same_device))
          predictions.push_back(std::move(*prediction));
      if (!predictions.empty()) break;
    }
    const auto score = [](const Prediction<Problem>& p) { return p.seconds * std::exp(trust * p.distance); };
    std::stable_sort(predictions.begin(), predictions.end(), [&](const auto& left, const auto& right) {
      if (left.exact != right.exact) return left.exact;
      if (left.exact) return is_better(*left.nearest, *right.nearest);
      return score(left) < score(right);
    });
    return predictions;
  }

  /// Returns how many times as fast as untuned tuning made exactly this problem. Without such a record, returns the
  /// mean for problems whose records are relevant, where nearer ones count more. Returns 1 if there are none.
  double gain(const Problem& problem) const {
    const Weighed wanted(problem);
    for (const bool same_device : {true, false}) {
      double weights = 0, log_gain = 0;
      for (const Gain& gain : gains_) {
        if (gain.same_device != same_device || !detail::is_relevant_for(gain.of, wanted)) continue;
        const double away = Operation<Problem>::distance(gain.of.problem, problem);
        if (away == 0) return gain.value();
        if (gain.best->only_own) continue;
        log_gain += weight_at(away) * std::log(gain.value());
        weights += weight_at(away);
      }
      if (weights > 0) return std::exp(log_gain / weights);
    }
    return 1;
  }

 private:
  struct Sample {
    const Record<Problem>* record;
    Weighed<Problem> of;
    GroupWork work;

    bool is_relevant_for(const Weighed<Problem>& wanted) const {
      return detail::is_relevant_for(of, wanted) &&
             (!record->only_own || Operation<Problem>::distance(of.problem, wanted.problem) == 0);
    }
  };
  // The samples of one configuration.
  struct Series {
    const Variant<Problem>* variant;
    ParameterValues values;
    std::vector<Sample> samples;
  };

  // The gain on one problem by the records of this device, or by those of others.
  struct Gain {
    Weighed<Problem> of;
    bool same_device;
    const Record<Problem>* best;  ///< the record that would be chosen for the problem

    double value() const { return best->untuned_seconds / best->seconds; }
  };

  // Predicts from the relevant records of a series, of this device or of others; nothing if there are none.
  std::optional<Prediction<Problem>> predict(const Series& series, const Weighed<Problem>& wanted,
                                             const DeviceProfile& device, bool same_device) const {
    const GroupWork work = group_work(*series.variant, series.values, wanted.problem, device);
    double weights = 0, log_seconds = 0;
    Prediction<Problem> prediction{.variant = series.variant, .values = series.values};
    for (const Sample& sample : series.samples) {
      const Record<Problem>& record = *sample.record;
      if (record.same_device != same_device || !sample.is_relevant_for(wanted)) continue;
      const double away = Operation<Problem>::distance(record.problem, wanted.problem);
      const double weight = weight_at(away);
      log_seconds += weight * std::log(scaled_seconds(record.seconds, sample.work, work,
                                                      static_cast<double>(device.compute_units)));
      weights += weight;
      if (prediction.nearest == nullptr || away < prediction.distance) {
        prediction.distance = away;
        prediction.nearest = &record;
      }
      if (std::find(prediction.sources.begin(), prediction.sources.end(), record.source) == prediction.sources.end())
        prediction.sources.push_back(record.source);
    }
    if (prediction.nearest == nullptr) return std::nullopt;
    prediction.exact = prediction.distance == 0;
    prediction.seconds = prediction.exact ? prediction.nearest->seconds : std::exp(log_seconds / weights);
    if (prediction.exact) prediction.sources = {prediction.nearest->source};
    if (!std::isfinite(prediction.seconds)) return std::nullopt;  // so that times can be sorted
    return prediction;
  }

  Records<Problem> set_;
  std::vector<Series> series_;
  std::vector<Gain> gains_;  ///< one per problem that has records
};

}  // namespace tilewright::detail
