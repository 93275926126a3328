#include "records/record_book.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "gemm/configuration_check.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "records/record_key.hpp"

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

// Whether a record of `measured` says anything of `wanted`: a time is not carried far, since what is best for small
// products is not for large ones.
bool speaks_for(const GemmProblem& measured, const GemmProblem& wanted) {
  constexpr double far = 4;
  const double ratio = work_of(wanted) / work_of(measured);
  return measured.type == wanted.type && ratio < far && ratio > 1 / far;
}

// Of two records of one problem. Times of another place or hour do not compare, and one that was timed a few times may
// have been lucky.
bool is_better(const GemmRecord& left, const GemmRecord& right) {
  if (is_shipped(left) != is_shipped(right)) return is_shipped(right);
  if (left.timings != right.timings) return left.timings > right.timings;
  return left.seconds < right.seconds;
}

// The nearer a sample, the more it counts; but single timings vary by some per cent, which several even out.
double weight_at(double distance) { return std::pow(distance + 1, -3); }

// Rounds of work-groups that a device needs. A few rounds end together, many do not.
double waves(double groups, double compute_units) {
  const double rounds = groups / std::max(1.0, compute_units);
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
  std::map<std::string, std::size_t> ways;
  std::map<std::string, std::size_t> gains;
  for (const GemmRecord& record : set_.records) {
    const GemmVariant& variant = find_gemm_variant(record.variant);
    const auto [way, is_new] = ways.emplace(record.variant + ' ' + to_string(record.configuration), ways_.size());
    if (is_new) ways_.push_back({&variant, record.configuration, {}});
    ways_[way->second].samples.push_back({&record, group_work(variant, record.configuration, record.problem, device)});

    const auto [gain, is_first] =
        gains.emplace(key_of(record.problem) + (record.same_device ? "" : "elsewhere"), gains_.size());
    if (is_first) gains_.push_back({record.problem, record.same_device, &record});
    if (Gain& known = gains_[gain->second]; is_better(record, *known.best)) known.best = &record;
  }
}

double RecordBook::gain(const GemmProblem& problem) const {
  for (const bool same_device : {true, false}) {
    double weights = 0;
    double log_gain = 0;
    for (const Gain& gain : gains_) {
      if (gain.same_device != same_device || !speaks_for(gain.problem, problem)) continue;
      const double away = distance(gain.problem, problem);
      if (away == 0) return gain.value();
      log_gain += weight_at(away) * std::log(gain.value());
      weights += weight_at(away);
    }
    if (weights > 0) return std::exp(log_gain / weights);
  }
  return 1;
}

std::optional<Prediction> RecordBook::predict(const Way& way, const GemmProblem& problem, const DeviceProfile& device,
                                              bool same_device) const {
  const GroupWork work = group_work(*way.variant, way.configuration, problem, device);
  double weights = 0;
  double log_seconds = 0;
  Prediction prediction{.variant = way.variant, .configuration = way.configuration};
  for (const Sample& sample : way.samples) {
    const GemmRecord& record = *sample.record;
    if (record.same_device != same_device || !speaks_for(record.problem, problem)) continue;
    const double away = distance(record.problem, problem);
    const double weight = weight_at(away);
    log_seconds +=
        weight * std::log(scaled_seconds(record, sample.work, work, static_cast<double>(device.compute_units)));
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
  if (!std::isfinite(prediction.seconds)) return std::nullopt;  // so that times can be put in order
  return prediction;
}

std::vector<Prediction> RecordBook::predict(const GemmProblem& problem, const DeviceProfile& device,
                                            const GemmVariant* variant) const {
  if (is_empty(problem) || problem.k == 0) return {};
  std::vector<const Way*> ways;
  for (const Way& way : ways_) {
    if (variant != nullptr && variant != way.variant) continue;
    const bool speaks = std::any_of(way.samples.begin(), way.samples.end(),
                                    [&](const Sample& sample) { return speaks_for(sample.record->problem, problem); });
    if (speaks && why_unsupported(*way.variant, problem, device).empty() &&
        broken_rule(*way.variant, way.configuration, problem, device).empty())
      ways.push_back(&way);
  }
  std::vector<Prediction> predictions;
  for (const bool same_device : {true, false}) {
    for (const Way* way : ways)
      if (auto prediction = predict(*way, problem, device, same_device)) predictions.push_back(std::move(*prediction));
    if (!predictions.empty()) break;
  }
  const auto score = [](const Prediction& p) { return p.seconds * std::exp(trust * p.distance); };
  std::stable_sort(predictions.begin(), predictions.end(), [&](const Prediction& left, const Prediction& right) {
    if (left.exact != right.exact) return left.exact;
    if (left.exact) return is_better(*left.nearest, *right.nearest);
    return score(left) < score(right);
  });
  return predictions;
}

}  // namespace tilewright::detail
