#include "tuning/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "gemm/configuration_check.hpp"
#include "gemm/problem.hpp"
#include "gemm/registry.hpp"
#include "tilewright/version.hpp"
#include "tuning/lanes.hpp"
#include "tuning/portfolio.hpp"
#include "verification/parallel.hpp"

namespace tilewright::tuning {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t finalists = 8;
constexpr double final_share = 0.3;  // of a problem's time, for verifying and the final, until one was seen

Timed timed(const Trial& trial, const std::vector<double>& seconds) {
  double mean = 0;
  for (const double value : seconds) mean += value / static_cast<double>(seconds.size());
  double square = 0;
  for (const double value : seconds) square += (value - mean) * (value - mean) / static_cast<double>(seconds.size());
  return {trial, median(seconds), std::sqrt(square) / mean, static_cast<unsigned>(seconds.size())};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

}  // namespace

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
  std::vector<Trial> winners{};
  SteadyClock::time_point start = SteadyClock::now();

  const TuneOptions& options() const { return tuner.options_; }
  bool stopped() const { return options().stop != nullptr && *options().stop; }
  double elapsed() const { return std::chrono::duration<double>(SteadyClock::now() - start).count(); }
  double left() const { return options().budget.seconds - elapsed(); }

  void report(const Tuned& tuned, const char* activity, double best) {
    if (!listener) return;
    const auto problem = static_cast<std::size_t>(&tuned - results.data());
    listener({problem, &tuned.problem, tuned.evaluations.size(), all_evaluations, best, tuned.untuned.seconds, &counts,
              left(), activity});
  }

  Evaluation evaluate(Tuned& tuned, const Trial& trial, double best) {
    tuner.journal_.begin(trial);
    Evaluation evaluation = tuner.evaluator_.evaluate(trial, best);
    tuner.journal_.end(trial, evaluation);
    note(tuned, trial, evaluation);
    return evaluation;
  }

  void note(Tuned& tuned, const Trial& trial, const Evaluation& evaluation) {
    const std::lock_guard lock(mutex);
    tuned.evaluations.emplace_back(trial, evaluation);
    ++counts[evaluation.status];
    ++all_evaluations;
  }

  void search(Tuned& tuned);
  void final_round(Tuned& tuned);
  void tune(Tuned& tuned);
  void compare(Tuned& tuned);
};

void Tuner::Run::search(Tuned& tuned) {
  const DeviceProfile& device = tuner.engine_.profile();
  std::vector<Trial> hints;
  double deadline = 0;
  {
    const std::lock_guard lock(mutex);
    hints = winners;
    const double waiting = std::max(static_cast<double>(results.size() - finished) / options().threads, 1.0);
    const double share = left() / waiting;
    const double final_part =
        finished > 0 ? std::min(final_seconds / static_cast<double>(finished), share / 2) : final_share * share;
    deadline = elapsed() + share - final_part;
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

  for (const auto& [trial, evaluation] : tuner.journal_.known())
    if (trial.problem == tuned.problem) {
      note(tuned, trial, evaluation);
      learn(trial, evaluation);
    }
  const Trial untuned = untuned_trial(device, tuned.problem);
  const auto tried = [&](const Trial& wanted) {
    return std::any_of(tuned.evaluations.begin(), tuned.evaluations.end(),
                       [&](const Journal::Entry& entry) { return same_way(entry.first, wanted); });
  };
  if (!tried(untuned)) learn(untuned, evaluate(tuned, untuned, best));

  while (!stopped()) {
    const bool used_up = tuned.evaluations.size() >= options().budget.evaluations || elapsed() >= deadline;
    const auto trial = used_up ? std::nullopt : lanes.next();
    if (!trial) {
      tuned.complete = true;
      return;
    }
    learn(*trial, evaluate(tuned, *trial, best));
  }
}

// The best once more, in turns, and only those that are right at every edge.
void Tuner::Run::final_round(Tuned& tuned) {
  std::vector<Journal::Entry> order;
  for (const Journal::Entry& entry : tuned.evaluations)
    if (entry.second.status == Status::ok) order.push_back(entry);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& left, const auto& right) { return left.second.seconds < right.second.seconds; });
  const Trial untuned = untuned_trial(tuner.engine_.profile(), tuned.problem);
  std::vector<Trial> chosen{untuned};
  for (const auto& [trial, evaluation] : order)
    if (chosen.size() <= finalists && !same_way(trial, untuned)) chosen.push_back(trial);

  std::vector<Trial> trials;
  std::vector<std::unique_ptr<GemmPlan>> plans;
  std::vector<const GemmPlan*> pointers;
  for (const Trial& trial : chosen) {
    {
      const std::lock_guard lock(mutex);
      report(tuned, "verify", order.empty() ? 0 : order.front().second.seconds);
    }
    std::string wrong = tuner.evaluator_.verify(trial);
    if (!wrong.empty()) {
      const Evaluation evaluation{.status = Status::correctness, .message = std::move(wrong)};
      tuner.journal_.end(trial, evaluation);
      note(tuned, trial, evaluation);
      continue;
    }
    plans.push_back(make_trial_plan(tuner.engine_, trial));
    pointers.push_back(plans.back().get());
    trials.push_back(trial);
  }
  if (trials.empty()) {
    tuned.problem_message = "no configuration was right";
    return;
  }
  const auto seconds = tuner.bench_.time_in_turns(tuned.problem, pointers, options().rounds);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Timed result = timed(trials[i], seconds[i]);
    if (same_way(result.trial, untuned)) tuned.untuned = result;
    // The incumbent comes first and keeps its place unless it is beaten by more than the variation.
    const double margin = tuned.best.seconds > 0 && same_way(tuned.best.trial, untuned)
                              ? 1 - std::min(0.05, std::max(result.variation, tuned.best.variation))
                              : 1;
    if (tuned.best.seconds == 0 || result.seconds < margin * tuned.best.seconds) tuned.best = result;
  }
  if (tuned.untuned.seconds == 0) tuned.untuned = tuned.best;  // what it would have run is wrong here
}

void Tuner::Run::tune(Tuned& tuned) try {
  search(tuned);
  const double searched = elapsed();
  final_round(tuned);
  const std::lock_guard lock(mutex);
  ++finished;
  final_seconds += elapsed() - searched;
  if (tuned.best.seconds == 0) return;
  if (std::none_of(winners.begin(), winners.end(), [&](const Trial& w) { return same_way(w, tuned.best.trial); }))
    winners.push_back(tuned.best.trial);
} catch (const std::exception& problem) {
  const std::lock_guard lock(mutex);
  ++finished;
  tuned.problem_message = problem.what();
}

// Every winner on every problem: what the selector needs to tell which of them is good where.
void Tuner::Run::compare(Tuned& tuned) {
  if (tuned.best.seconds == 0) return;
  const DeviceProfile& device = tuner.engine_.profile();
  for (const Trial& winner : winners) {
    const Trial trial{tuned.problem, winner.variant, winner.configuration};
    if (stopped() || same_way(trial, tuned.best.trial) || same_way(trial, tuned.untuned.trial)) continue;
    if (!options().variants.empty() &&
        std::find(options().variants.begin(), options().variants.end(), trial.variant) == options().variants.end())
      continue;
    const detail::GemmVariant& variant = detail::find_gemm_variant(trial.variant);
    if (!detail::broken_rule(variant, trial.configuration, tuned.problem, device).empty()) continue;
    report(tuned, "compare", tuned.best.seconds);
    const auto known = std::find_if(tuned.evaluations.begin(), tuned.evaluations.end(), [&](const auto& entry) {
      return same_way(entry.first, trial) && entry.second.timings > 0;
    });
    const Evaluation evaluation =
        known != tuned.evaluations.end() ? known->second : evaluate(tuned, trial, tuned.best.seconds);
    if (evaluation.timed() && evaluation.timings > 0 && tuner.evaluator_.verify(trial).empty())
      tuned.others.push_back({trial, evaluation.seconds, 0, evaluation.timings});
  }
}

Tuner::Tuner(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal, TuneOptions options)
    : engine_(engine), evaluator_(evaluator), bench_(bench), journal_(journal), options_(std::move(options)) {}

std::vector<Tuned> Tuner::run(const std::vector<GemmProblem>& problems, const Listener& listener,
                              const std::function<void(const Tuned&)>& done) {
  Run run{*this, listener, {}};
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
  for (Tuned& tuned : run.results) run.compare(tuned);
  return std::move(run.results);
}

std::vector<GemmRecord> records_of(const Tuned& tuned, const DeviceProfile& device) {
  std::vector<GemmRecord> records;
  if (tuned.best.seconds == 0) return records;
  const std::string date = today();
  const auto add = [&](const Timed& timed) {
    records.push_back({tuned.problem, timed.trial.variant, timed.trial.configuration, timed.seconds, timed.variation,
                       timed.timings, tuned.untuned.seconds, device.driver_version, std::string(version), date});
  };
  add(tuned.best);
  if (!same_way(tuned.best.trial, tuned.untuned.trial)) add(tuned.untuned);
  for (const Timed& other : tuned.others) add(other);
  return records;
}

}  // namespace tilewright::tuning
