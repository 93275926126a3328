// The last step of a run: every winner is timed on every problem that it can do.
#include <algorithm>

#include "runtime/system/log.hpp"
#include "tuning/measure/median.hpp"
#include "tuning/tuning_run.hpp"

namespace tilewright::tuning {

// Estimates the duration of this step. The caller must hold the mutex.
double TuningRun::compare_seconds() const {
  if (results_.size() < 2) return 0;
  if (finished_ == 0) return options_.budget.seconds / 10;
  const double problems = static_cast<double>(results_.size());
  const double each =
      std::max(problems * static_cast<double>(winners_.size()) / static_cast<double>(finished_) - 1, 0.0);
  const double pair = trial_seconds_.value() + verify_seconds_.value() / 4;  // once per form, not per problem
  return std::min(options_.budget.seconds / 5, problems * each * pair);
}

void TuningRun::compare_all() {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    Tuned& tuned = results_[i];
    if (tuned.best.seconds == 0) continue;
    const double now = clock_.elapsed();
    try {
      compare(tuned, now + (clock_.end() - now) / static_cast<double>(results_.size() - i));
      note_done(tuned);  // the trials since then mark it as begun
    } catch (const SystemError& problem) {
      fail(problem);
    } catch (const std::exception&) {
      detail::debug_failure("the winners of other problems are not compared for ", tuned.problem->label());
      tuned.others.clear();  // the results of the search stay
    }
  }
}

void TuningRun::compare(Tuned& tuned, double share_end) {
  const DeviceProfile& device = engine_.profile();
  const bool has_untuned = tuned.untuned_message.empty();
  std::vector<Choice> choices{tuned.best.choice};
  if (has_untuned && tuned.best.choice != tuned.untuned.choice) choices.push_back(tuned.untuned.choice);
  const std::size_t known_ones = choices.size();
  double turn = round_seconds(tuned.best.seconds) + round_seconds(tuned.untuned.seconds);
  for (const Choice& winner : winners_) {
    if (winner == tuned.best.choice || winner == tuned.untuned.choice) continue;
    if (!is_wanted(winner.variant)) continue;
    if (!tuned.problem->allows(winner, device)) continue;
    report(tuned, "compare", tuned.best.seconds);
    const Trial trial{tuned.problem, winner};
    const auto known = std::find_if(tuned.evaluations.begin(), tuned.evaluations.end(), [&](const auto& entry) {
      return entry.first.choice == winner && entry.second.timings > 0;
    });
    std::optional<Evaluation> evaluation;
    if (known != tuned.evaluations.end()) evaluation = known->second;
    const double guess = evaluation ? evaluation->seconds : tuned.best.seconds;
    const double work = (evaluation ? 0 : trial_seconds_.value()) + verify_seconds_.value() / 2;
    const double timing = (compare_rounds + 1) * (turn + round_seconds(guess));
    if (stopped() || clock_.elapsed() + work + timing > share_end) {
      ++tuned.uncompared;
      continue;
    }
    if (!evaluation) evaluation = evaluate(tuned, trial, tuned.best.seconds, clock_.end() - timing);
    if (!evaluation) {
      ++tuned.uncompared;
      continue;
    }
    if (!evaluation->timed() || evaluation->timings == 0) continue;
    const auto verified = verify(trial, clock_.end() - timing);
    if (!verified) ++tuned.uncompared;
    if (!verified || verified->status != Status::ok) continue;
    choices.push_back(winner);
    turn += round_seconds(evaluation->seconds);
  }
  if (choices.size() == known_ones) return;

  std::vector<std::unique_ptr<TunablePlan>> plans;
  for (const Choice& choice : choices) plans.push_back(make_trial_plan(engine_, {tuned.problem, choice}));
  const auto seconds = bench_.time_in_turns(tuned.problem, plans, compare_rounds);
  const double untuned_seconds = median(seconds[known_ones - 1]);
  for (std::size_t i = known_ones; i < choices.size(); ++i) {
    tuned.others.push_back(timed(choices[i], seconds[i]));
    tuned.others.back().untuned_seconds = untuned_seconds;
  }
}

}  // namespace tilewright::tuning
