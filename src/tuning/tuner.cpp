#include "tuning/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>

#include "gemm/configuration_check.hpp"
#include "gemm/problem.hpp"
#include "gemm/registry.hpp"
#include "gemm/selector.hpp"
#include "tilewright/version.hpp"
#include "tuning/lanes.hpp"
#include "tuning/portfolio.hpp"
#include "verification/parallel.hpp"

namespace tilewright::tuning {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t finalists = 8;
constexpr double final_share = 0.3;        // of a problem's time, for verifying and the final, until one was seen
constexpr unsigned least_rounds = 3;       // of a final that the time is short for
constexpr double seconds_after_stop = 10;  // for the final of what was being tuned

// What something takes, as far as it was seen.
class MeanSeconds {
 public:
  explicit MeanSeconds(double guess) : guess_(guess) {}
  void add(double seconds) {
    sum_ += seconds;
    ++count_;
  }
  double value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : guess_; }

 private:
  double guess_;
  double sum_ = 0;
  std::size_t count_ = 0;
};

// Of one round of timings.
double round_seconds(double call_seconds) { return std::max(call_seconds, DeviceEvaluator::batch_seconds); }

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

}  // namespace

Timed timed(const Trial& trial, const std::vector<double>& seconds) {
  double mean = 0;
  for (const double value : seconds) mean += value / static_cast<double>(seconds.size());
  double square = 0;
  for (const double value : seconds) square += (value - mean) * (value - mean) / static_cast<double>(seconds.size());
  return {trial, median(seconds), std::sqrt(square) / mean, static_cast<unsigned>(seconds.size())};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

unsigned tuning_threads(const DeviceProfile& device) {
  return device.type == DeviceType::cpu ? 1 : std::clamp(verification::worker_count() / 2, 1U, 4U);
}

// One run over all problems; what threads share is behind the mutex.
struct Tuner::Run {
  Tuner& tuner;
  const Listener& listener;
  std::vector<Tuned> results;

  std::mutex mutex{};
  std::map<Status, std::size_t> counts{};
  std::size_t all_evaluations = 0;
  std::size_t finished = 0;
  double final_seconds = 0;  // of those that are finished
  MeanSeconds trial_seconds{0.25};
  MeanSeconds verify_seconds{0.75};
  std::vector<Trial> winners{};
  std::atomic<double> stopped_at = std::numeric_limits<double>::infinity();
  std::atomic<bool> failed = false;

  const TuneOptions& options() const { return tuner.options_; }
  double elapsed() const { return std::chrono::duration<double>(SteadyClock::now() - options().start).count(); }
  bool stopped() {
    if (failed) return true;
    if (options().stop == nullptr || !*options().stop) return false;
    double never = std::numeric_limits<double>::infinity();
    stopped_at.compare_exchange_strong(never, elapsed());
    return true;
  }
  // When all must be over.
  double end() {
    stopped();
    return std::min(options().budget.seconds, stopped_at + seconds_after_stop);
  }
  double left() { return end() - elapsed(); }
  Deadline deadline(double at) const {
    if (!std::isfinite(at)) return no_deadline;
    return options().start + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(at));
  }

  void report(const Tuned& tuned, const char* activity, double best) {
    if (!listener) return;
    const auto problem = static_cast<std::size_t>(&tuned - results.data());
    listener({problem, &tuned.problem, tuned.evaluations.size(), all_evaluations, best, tuned.untuned.seconds, &counts,
              left(), activity});
  }

  // None where the time was up.
  std::optional<Evaluation> evaluate(Tuned& tuned, const Trial& trial, double best, double until) {
    const double begun = elapsed();
    tuner.journal_.begin(trial);
    try {
      Evaluation evaluation = tuner.evaluator_.evaluate(trial, best, deadline(until));
      tuner.journal_.end(trial, evaluation);
      note(tuned, trial, evaluation);
      const std::lock_guard lock(mutex);
      trial_seconds.add(elapsed() - begun);
      return evaluation;
    } catch (const OutOfTime&) {
      tuner.journal_.cut(trial);
      return std::nullopt;
    } catch (const SystemError&) {
      tuner.journal_.cut(trial);
      throw;
    }
  }

  // None where the time was up.
  std::optional<Evaluation> verify(const Trial& trial, double until) {
    const double begun = elapsed();
    try {
      Evaluation result = tuner.evaluator_.verify(trial, deadline(until));
      const std::lock_guard lock(mutex);
      verify_seconds.add(elapsed() - begun);
      return result;
    } catch (const OutOfTime&) {
      return std::nullopt;
    }
  }

  void note(Tuned& tuned, const Trial& trial, const Evaluation& evaluation) {
    const std::lock_guard lock(mutex);
    tuned.evaluations.emplace_back(trial, evaluation);
    ++counts[evaluation.status];
    ++all_evaluations;
  }

  double expected_verify_seconds() {
    const std::lock_guard lock(mutex);
    return verify_seconds.value();
  }

  struct Share {
    double search_end;
    double end;
  };
  Share next_share();
  double compare_seconds() const;
  void search(Tuned& tuned, const Share& share);
  void final_round(Tuned& tuned, double share_end);
  void tune(Tuned& tuned);
  void compare(Tuned& tuned, double share_end);
  void compare_all();
};

// What timing every winner on every problem will take, as far as it can be told, with the mutex held.
double Tuner::Run::compare_seconds() const {
  if (results.size() < 2) return 0;
  if (finished == 0) return options().budget.seconds / 10;
  const double problems = static_cast<double>(results.size());
  const double each = std::max(problems * static_cast<double>(winners.size()) / static_cast<double>(finished) - 1, 0.0);
  const double pair = trial_seconds.value() + verify_seconds.value() / 4;  // once for each form, not for each problem
  return std::min(options().budget.seconds / 5, problems * each * pair);
}

// Of the time that is left, for the next problem. Where it is short, the first problems get enough for a few tries.
Tuner::Run::Share Tuner::Run::next_share() {
  const std::lock_guard lock(mutex);
  const double now = elapsed();
  const double time = left();
  if (!std::isfinite(time)) return {time, time};
  const double waiting = std::max(static_cast<double>(results.size() - finished) / options().threads, 1.0);
  const double least = 4 * trial_seconds.value() + 3 * verify_seconds.value();
  const double share = std::min(std::max((time - compare_seconds()) / waiting, least), time);
  const double final_part = finished > 0 ? final_seconds / static_cast<double>(finished)
                                         : std::max(final_share * share, 2 * verify_seconds.value());
  return {now + share - std::min(final_part, share / 2), now + share};
}

void Tuner::Run::search(Tuned& tuned, const Share& share) {
  const DeviceProfile& device = tuner.engine_.profile();
  std::vector<Trial> hints;
  {
    const std::lock_guard lock(mutex);
    hints = winners;
  }
  const bool exhaustive = options().strategy == "full";
  Lanes lanes(device, tuned.problem, options().variants, options().strategy, options().seed, hints, exhaustive);
  double best = std::numeric_limits<double>::infinity();
  const auto learn = [&](const Trial& trial, const Evaluation& evaluation) {
    lanes.tell(trial, evaluation);
    if (evaluation.status == Status::ok) best = std::min(best, evaluation.seconds);
    const std::lock_guard lock(mutex);
    report(tuned, "search", std::isfinite(best) ? best : 0);
  };
  // What is being tried when the share ends gives way to the final.
  const auto try_out = [&](const Trial& trial) {
    const auto evaluation = evaluate(tuned, trial, best, std::min((share.search_end + share.end) / 2, end()));
    if (evaluation) learn(trial, *evaluation);
    return evaluation.has_value();
  };

  for (const auto& [trial, evaluation] : tuner.journal_.known())
    if (trial.problem == tuned.problem) {
      note(tuned, trial, evaluation);
      learn(trial, evaluation);
    }
  const auto tried = [&](const Trial& wanted) {
    return std::any_of(tuned.evaluations.begin(), tuned.evaluations.end(),
                       [&](const Journal::Entry& entry) { return same_way(entry.first, wanted); });
  };
  const Trial untuned = untuned_trial(device, tuned.problem);
  if (!tried(untuned) && !try_out(untuned)) return;
  for (const Trial& trial : tuner.journal_.interrupted())
    if (trial.problem == tuned.problem && !stopped() && !tried(trial) && !try_out(trial)) return;

  while (!stopped()) {
    const bool used_up = tuned.evaluations.size() >= options().budget.evaluations || elapsed() >= share.search_end;
    const auto trial = used_up ? std::nullopt : lanes.next();
    if (!trial || !try_out(*trial)) {
      tuned.complete = true;
      return;
    }
  }
}

// The best once more, in turns, and only those that are right at every edge.
void Tuner::Run::final_round(Tuned& tuned, double share_end) {
  std::vector<Journal::Entry> order;
  for (const Journal::Entry& entry : tuned.evaluations)
    if (entry.second.status == Status::ok) order.push_back(entry);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& left, const auto& right) { return left.second.seconds < right.second.seconds; });
  const Trial untuned = untuned_trial(tuner.engine_.profile(), tuned.problem);
  std::vector<std::pair<Trial, double>> chosen{{untuned, 0}};
  for (const auto& [trial, evaluation] : tuned.evaluations)
    if (same_way(trial, untuned)) chosen.front().second = evaluation.seconds;
  for (const auto& [trial, evaluation] : order)
    if (chosen.size() <= finalists && !same_way(trial, untuned)) chosen.emplace_back(trial, evaluation.seconds);

  std::vector<Trial> trials;
  std::vector<std::unique_ptr<GemmPlan>> plans;
  std::vector<const GemmPlan*> pointers;
  double turn = 0;  // seconds of one round
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Trial& trial = chosen[i].first;
    {
      const std::lock_guard lock(mutex);
      report(tuned, "verify", order.empty() ? 0 : order.front().second.seconds);
    }
    const double timing = (least_rounds + 1) * (turn + round_seconds(chosen[i].second));
    const bool has_time =
        trials.empty() || elapsed() + expected_verify_seconds() + timing <= std::min(share_end, end());
    const auto verified = has_time ? verify(trial, end() - timing) : std::nullopt;
    if (!verified) {
      tuned.unverified = chosen.size() - i;
      break;
    }
    if (verified->status != Status::ok) {
      tuner.journal_.end(trial, *verified);
      note(tuned, trial, *verified);
      if (same_way(trial, untuned)) tuned.untuned_message = verified->message;
      continue;
    }
    plans.push_back(make_trial_plan(tuner.engine_, trial));
    pointers.push_back(plans.back().get());
    trials.push_back(trial);
    turn += round_seconds(chosen[i].second);
  }
  if (trials.empty()) {
    tuned.out_of_time = tuned.unverified > 0;
    tuned.problem_message =
        tuned.out_of_time ? "the time was up before anything was verified" : "no configuration was right";
    return;
  }
  const auto seconds =
      tuner.bench_.time_in_turns(tuned.problem, pointers, options().rounds, std::min(least_rounds, options().rounds),
                                 deadline(std::min(share_end, end())));
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Timed result = timed(trials[i], seconds[i]);
    if (same_way(result.trial, untuned)) tuned.untuned = result;
    if (tuned.best.seconds == 0 || result.seconds < tuned.best.seconds) tuned.best = result;
  }
  if (tuned.untuned.seconds == 0) tuned.untuned = tuned.best;  // what it would have run is wrong here
  // By less than this the library would not leave what it runs untuned: it errs by as much.
  if (tuned.speedup() < detail::least_gain) tuned.best = tuned.untuned;
  tuned.best.untuned_seconds = tuned.untuned.untuned_seconds = tuned.untuned.seconds;
}

void Tuner::Run::tune(Tuned& tuned) try {
  if (left() <= 0) {
    const std::lock_guard lock(mutex);
    ++finished;
    tuned.out_of_time = true;
    tuned.problem_message = "the time was up";
    return;
  }
  const Share share = next_share();
  search(tuned, share);
  const double searched = elapsed();
  final_round(tuned, share.end);
  if (tuned.complete && tuned.best.seconds > 0 && !stopped()) tuner.journal_.done(tuned.problem);
  const std::lock_guard lock(mutex);
  ++finished;
  final_seconds += elapsed() - searched;
  if (tuned.best.seconds == 0) return;
  if (std::none_of(winners.begin(), winners.end(), [&](const Trial& w) { return same_way(w, tuned.best.trial); }))
    winners.push_back(tuned.best.trial);
} catch (const SystemError& problem) {
  const std::lock_guard lock(mutex);
  ++finished;
  tuned.problem_message = "not finished";
  tuner.failure_ = problem.what();
  failed = true;
} catch (const std::exception& problem) {
  const std::lock_guard lock(mutex);
  ++finished;
  tuned.problem_message = problem.what();
}

// Every winner on every problem: what the selector needs to tell which of them is good where.
void Tuner::Run::compare(Tuned& tuned, double share_end) {
  const DeviceProfile& device = tuner.engine_.profile();
  const bool has_untuned = tuned.untuned_message.empty();
  std::vector<Trial> trials{tuned.best.trial};
  if (has_untuned && !same_way(tuned.best.trial, tuned.untuned.trial)) trials.push_back(tuned.untuned.trial);
  const std::size_t known_ones = trials.size();
  double turn = round_seconds(tuned.best.seconds) + round_seconds(tuned.untuned.seconds);
  for (const Trial& winner : winners) {
    const Trial trial{tuned.problem, winner.variant, winner.configuration};
    if (same_way(trial, tuned.best.trial) || same_way(trial, tuned.untuned.trial)) continue;
    if (!options().variants.empty() &&
        std::find(options().variants.begin(), options().variants.end(), trial.variant) == options().variants.end())
      continue;
    const detail::GemmVariant& variant = detail::find_gemm_variant(trial.variant);
    if (!detail::broken_rule(variant, trial.configuration, tuned.problem, device).empty()) continue;
    report(tuned, "compare", tuned.best.seconds);
    const auto known = std::find_if(tuned.evaluations.begin(), tuned.evaluations.end(), [&](const auto& entry) {
      return same_way(entry.first, trial) && entry.second.timings > 0;
    });
    std::optional<Evaluation> evaluation;
    if (known != tuned.evaluations.end()) evaluation = known->second;
    const double guess = evaluation ? evaluation->seconds : tuned.best.seconds;
    const double work = (evaluation ? 0 : trial_seconds.value()) + verify_seconds.value() / 2;
    const double timing = (compare_rounds + 1) * (turn + round_seconds(guess));
    if (stopped() || elapsed() + work + timing > share_end) {
      ++tuned.uncompared;
      continue;
    }
    if (!evaluation) evaluation = evaluate(tuned, trial, tuned.best.seconds, end() - timing);
    if (!evaluation) {
      ++tuned.uncompared;
      continue;
    }
    if (!evaluation->timed() || evaluation->timings == 0) continue;
    const auto verified = verify(trial, end() - timing);
    if (!verified) ++tuned.uncompared;
    if (!verified || verified->status != Status::ok) continue;
    trials.push_back(trial);
    turn += round_seconds(evaluation->seconds);
  }
  if (trials.size() == known_ones) return;

  std::vector<std::unique_ptr<GemmPlan>> plans;
  std::vector<const GemmPlan*> pointers;
  for (const Trial& trial : trials) {
    plans.push_back(make_trial_plan(tuner.engine_, trial));
    pointers.push_back(plans.back().get());
  }
  const auto seconds = tuner.bench_.time_in_turns(tuned.problem, pointers, compare_rounds);
  const double untuned_seconds = median(seconds[known_ones - 1]);
  for (std::size_t i = known_ones; i < trials.size(); ++i) {
    tuned.others.push_back(timed(trials[i], seconds[i]));
    tuned.others.back().untuned_seconds = untuned_seconds;
  }
}

void Tuner::Run::compare_all() {
  for (std::size_t i = 0; i < results.size(); ++i) {
    Tuned& tuned = results[i];
    if (tuned.best.seconds == 0) continue;
    const double now = elapsed();
    try {
      compare(tuned, now + (end() - now) / static_cast<double>(results.size() - i));
    } catch (const SystemError& problem) {
      tuner.failure_ = problem.what();
      failed = true;
    } catch (const std::exception&) {
      tuned.others.clear();  // of this one; what was found for it stays
    }
  }
}

Tuner::Tuner(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal, TuneOptions options)
    : engine_(engine), evaluator_(evaluator), bench_(bench), journal_(journal), options_(std::move(options)) {}

std::vector<Tuned> Tuner::run(const std::vector<GemmProblem>& problems, const Listener& listener,
                              const std::function<void(const Tuned&)>& done) {
  Run run{*this, listener, {}};
  failure_.clear();
  for (const GemmProblem& problem : problems) {
    Tuned tuned;
    tuned.problem = detail::normalized(problem);
    run.results.push_back(std::move(tuned));
  }
  const auto tune = [&](std::size_t i) {
    if (run.stopped()) return;
    run.tune(run.results[i]);
    const std::lock_guard lock(run.mutex);
    if (done) done(run.results[i]);
  };
  verification::parallel_for(run.results.size(), tune, options_.threads);
  if (!run.stopped()) run.compare_all();
  return std::move(run.results);
}

std::vector<GemmRecord> records_of(const Tuned& tuned, const DeviceProfile& device) {
  std::vector<GemmRecord> records;
  if (tuned.best.seconds == 0) return records;
  const std::string date = today();
  const auto add = [&](const Timed& timed) {
    records.push_back({tuned.problem, timed.trial.variant, timed.trial.configuration, timed.seconds, timed.variation,
                       timed.timings, timed.untuned_seconds, device.driver_version, std::string(version), date});
  };
  add(tuned.best);
  if (!same_way(tuned.best.trial, tuned.untuned.trial)) add(tuned.untuned);
  // What was timed as often as the best could pass for better than it.
  for (const Timed& other : tuned.others)
    if (other.timings < tuned.best.timings) add(other);
  return records;
}

}  // namespace tilewright::tuning
