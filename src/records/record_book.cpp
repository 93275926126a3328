#include "records/record_book.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gemm/configuration_check.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"

namespace tilewright::detail {
namespace {

constexpr double launch_seconds = 5e-6;  // what a call costs beside its work, whatever its size
constexpr double trust = 0.05;           // how much a prediction counts as slower per unit of distance

double log_ratio(std::uint64_t left, std::uint64_t right) {
  return std::abs(std::log(static_cast<double>(left) / static_cast<double>(right)));
}

// The widest vector, up to 16 elements, in which every row of every operand can be read.
int alignment_of(const GemmProblem& p) {
  const std::uint64_t all = p.lda | p.ldb | p.ldc | p.offset_alignment | 16;
  return std::countr_zero(all);
}

// Another shape of the same type is so far away: the sum of |log ratio| of m, n, k and the number of products, and for
// another program (other transposes, other alignment) as much as for twice the size.
double distance(const GemmProblem& left, const GemmProblem& right) {
  const double other_program = std::log(2.0);
  double result = log_ratio(left.m, right.m) + log_ratio(left.n, right.n) + log_ratio(left.k, right.k) +
                  log_ratio(left.batch.count, right.batch.count);
  if (left.trans_a != right.trans_a) result += other_program;
  if (left.trans_b != right.trans_b) result += other_program;
  if (alignment_of(left) != alignment_of(right)) result += other_program;
  return result;
}

// The nearer a sample, the more it counts; but single timings vary by some per cent, which several even out.
double weight_at(double distance) { return std::pow(distance + 1, -3); }

// Rounds of work-groups that a device needs. A few rounds end together, many do not.
double waves(double groups, double compute_units) {
  const double rounds = groups / compute_units;
  return rounds <= 4 ? std::ceil(rounds) : rounds;
}

// Time goes with rounds of groups times the work of one. This is where the waste of tiles at the edges, and of compute
// units without one, comes in.
double scaled_seconds(const GemmRecord& record, const GroupWork& measured, const GroupWork& wanted,
                      double compute_units) {
  const double work = std::max(record.seconds - launch_seconds, record.seconds / 10);
  const double ratio = wanted.per_group / measured.per_group;
  return record.seconds - work +
         work * ratio * waves(wanted.groups, compute_units) / waves(measured.groups, compute_units);
}

}  // namespace

RecordBook::RecordBook(RecordSet set, const DeviceProfile& device) : set_(std::move(set)) {
  for (const GemmRecord& record : set_.records) {
    const GemmVariant& variant = find_gemm_variant(record.variant);
    auto way = std::find_if(ways_.begin(), ways_.end(), [&](const Way& known) {
      return known.variant == &variant && known.configuration == record.configuration;
    });
    if (way == ways_.end()) way = ways_.insert(ways_.end(), {&variant, record.configuration, {}});
    way->samples.push_back({&record, group_work(variant, record.configuration, record.problem, device)});

    const auto known =
        std::find_if(gains_.begin(), gains_.end(), [&](const Gain& gain) { return gain.problem == record.problem; });
    if (known == gains_.end())
      gains_.push_back({record.problem, record.seconds, record.untuned_seconds});
    else
      known->seconds = std::min(known->seconds, record.seconds);
  }
}

double RecordBook::gain(const GemmProblem& problem) const {
  double weights = 0;
  double log_gain = 0;
  for (const Gain& gain : gains_) {
    if (gain.problem.type != problem.type) continue;
    const double away = distance(gain.problem, problem);
    if (away == 0) return gain.untuned_seconds / gain.seconds;
    log_gain += weight_at(away) * std::log(gain.untuned_seconds / gain.seconds);
    weights += weight_at(away);
  }
  return weights > 0 ? std::exp(log_gain / weights) : 1;
}

std::vector<Prediction> RecordBook::predict(const GemmProblem& problem, const DeviceProfile& device,
                                            const GemmVariant* variant) const {
  struct Ranked {
    Prediction prediction;
    double score;
  };
  std::vector<Ranked> ranked;
  if (is_empty(problem) || problem.k == 0) return {};
  for (const Way& way : ways_) {
    if (variant != nullptr && variant != way.variant) continue;
    if (way.samples.front().record->problem.type != problem.type &&
        std::none_of(way.samples.begin(), way.samples.end(),
                     [&](const Sample& sample) { return sample.record->problem.type == problem.type; }))
      continue;
    if (!why_unsupported(*way.variant, problem, device).empty() ||
        !broken_rule(*way.variant, way.configuration, problem, device).empty())
      continue;

    const GroupWork work = group_work(*way.variant, way.configuration, problem, device);
    double weights = 0;
    double log_seconds = 0;
    double nearest = 0;
    Prediction prediction{way.variant, way.configuration, 0, nullptr, false};
    for (const Sample& sample : way.samples) {
      if (sample.record->problem.type != problem.type) continue;
      const double away = distance(sample.record->problem, problem);
      const double weight = weight_at(away);
      log_seconds += weight * std::log(scaled_seconds(*sample.record, sample.work, work,
                                                      static_cast<double>(device.compute_units)));
      weights += weight;
      if (prediction.nearest == nullptr || away < nearest) {
        nearest = away;
        prediction.nearest = sample.record;
      }
    }
    prediction.exact = nearest == 0;
    prediction.seconds = prediction.exact ? prediction.nearest->seconds : std::exp(log_seconds / weights);
    const double score = prediction.seconds * std::exp(trust * nearest);
    ranked.push_back({std::move(prediction), score});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& left, const Ranked& right) {
    if (left.prediction.exact != right.prediction.exact) return left.prediction.exact;
    return left.score < right.score;
  });
  std::vector<Prediction> predictions;
  for (Ranked& entry : ranked) predictions.push_back(std::move(entry.prediction));
  return predictions;
}

}  // namespace tilewright::detail
