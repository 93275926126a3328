#include "tuning/tuning_run.hpp"

#include <algorithm>
#include <cmath>

namespace tilewright::tuning {

TuningRun::TuningRun(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal,
                     const TuneOptions& options, const Tuner::Listener& listener, const std::vector<Problem>& problems)
    : engine_(engine),
      evaluator_(evaluator),
      bench_(bench),
      journal_(journal),
      options_(options),
      listener_(listener),
      clock_(options) {
  for (const Problem& problem : problems) results_.push_back({.problem = problem});
}

void TuningRun::report(const Tuned& tuned, const char* activity, double best) {
  if (!listener_) return;
  const auto index = static_cast<std::size_t>(&tuned - results_.data());
  listener_({index, tuned.problem, tuned.evaluations.size(), all_evaluations_, best, tuned.untuned.seconds, &counts_,
             clock_.left(), activity});
}

std::optional<Evaluation> TuningRun::evaluate(Tuned& tuned, const Trial& trial, double best, double until) {
  const double begun = clock_.elapsed();
  journal_.begin(trial);
  try {
    Evaluation evaluation = evaluator_.evaluate(trial, best, clock_.deadline(until));
    journal_.end(trial, evaluation);
    note(tuned, trial, evaluation);
    const std::lock_guard lock(mutex_);
    trial_seconds_.add(clock_.elapsed() - begun);
    return evaluation;
  } catch (const OutOfTime&) {
    journal_.cut(trial);
    return std::nullopt;
  } catch (const SystemError&) {
    journal_.cut(trial);
    throw;
  }
}

std::optional<Evaluation> TuningRun::verify(const Trial& trial, double until) {
  const double begun = clock_.elapsed();
  try {
    Evaluation result = evaluator_.verify(trial, clock_.deadline(until));
    const std::lock_guard lock(mutex_);
    verify_seconds_.add(clock_.elapsed() - begun);
    return result;
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
}

double TuningRun::expected_verify_seconds() {
  const std::lock_guard lock(mutex_);
  return verify_seconds_.value();
}

void TuningRun::note(Tuned& tuned, const Trial& trial, const Evaluation& evaluation) {
  const std::lock_guard lock(mutex_);
  tuned.evaluations.emplace_back(trial, evaluation);
  ++counts_[evaluation.status];
  ++all_evaluations_;
}

void TuningRun::fail(const SystemError& problem) {
  failure_ = problem.what();
  clock_.fail();
}

// Returns the next problem's share of the time that is left. If time is short, the first problems get enough for a few
// tries.
TuningRun::Share TuningRun::next_share() {
  constexpr double final_share = 0.3;  // of a problem's time, for verification and the final, until one was measured
  const std::lock_guard lock(mutex_);
  const double now = clock_.elapsed();
  const double time = clock_.left();
  if (!std::isfinite(time)) return {time, time};
  const double waiting = std::max(static_cast<double>(results_.size() - finished_) / options_.threads, 1.0);
  const double least = 4 * trial_seconds_.value() + 3 * verify_seconds_.value();
  const double share = std::min(std::max((time - compare_seconds()) / waiting, least), time);
  const double final_part = finished_ > 0 ? final_seconds_ / static_cast<double>(finished_)
                                          : std::max(final_share * share, 2 * verify_seconds_.value());
  return {now + share - std::min(final_part, share / 2), now + share};
}

void TuningRun::tune(std::size_t index) {
  Tuned& tuned = results_[index];
  try {
    tune(tuned);
  } catch (const SystemError& problem) {
    const std::lock_guard lock(mutex_);
    tuned.problem_message = "not finished";
    fail(problem);
  } catch (const std::exception& problem) {
    const std::lock_guard lock(mutex_);
    tuned.problem_message = problem.what();
  }
  const std::lock_guard lock(mutex_);
  ++finished_;
}

void TuningRun::note_done(const Tuned& tuned) {
  if (tuned.complete && tuned.best.seconds > 0 && !stopped()) journal_.done(tuned.problem);
}

void TuningRun::tune(Tuned& tuned) {
  if (clock_.left() <= 0) {
    tuned.out_of_time = true;
    tuned.problem_message = "time ran out";
    return;
  }
  const Share share = next_share();
  search(tuned, share);
  const double searched = clock_.elapsed();
  final_round(tuned, share);
  note_done(tuned);
  const std::lock_guard lock(mutex_);
  final_seconds_ += clock_.elapsed() - searched;
  if (tuned.best.seconds == 0) return;
  if (std::find(winners_.begin(), winners_.end(), tuned.best.choice) == winners_.end())
    winners_.push_back(tuned.best.choice);
}

}  // namespace tilewright::tuning
