// A problem's final: times the best of its search again, in turns, after verifying them at every edge.
#include <algorithm>

#include "selection/selector.hpp"
#include "tuning/tuning_run.hpp"

namespace tilewright::tuning {
namespace {

constexpr std::size_t finalists = 8;
constexpr unsigned min_rounds = 3;  // of a final that is short of time

using Finalist = std::pair<Choice, double>;  // with what a call took in the search

// Chooses what to time: the untuned choice, then the fastest. The fastest of each variant in `alone` that is not among
// these comes last; it may be one that was given up.
std::vector<Finalist> choose_finalists(const Tuned& tuned, const Choice& untuned,
                                       const std::vector<std::string>& alone) {
  std::vector<Finalist> fastest, given_up;
  for (const auto& [trial, evaluation] : tuned.evaluations) {
    if (evaluation.status == Status::ok) fastest.emplace_back(trial.choice, evaluation.seconds);
    if (evaluation.status == Status::slow && evaluation.timings > 0)
      given_up.emplace_back(trial.choice, evaluation.seconds);
  }
  for (std::vector<Finalist>* const list : {&fastest, &given_up})
    std::stable_sort(list->begin(), list->end(), [](const auto& l, const auto& r) { return l.second < r.second; });
  std::vector<Finalist> chosen{{untuned, 0}};
  for (const auto& [trial, evaluation] : tuned.evaluations)
    if (trial.choice == untuned) chosen.front().second = evaluation.seconds;
  for (const auto& [choice, seconds] : fastest)
    if (chosen.size() <= finalists && choice != untuned) chosen.emplace_back(choice, seconds);

  fastest.insert(fastest.end(), given_up.begin(), given_up.end());
  for (const std::string& variant : alone) {
    const auto is_of_variant = [&](const Finalist& finalist) { return finalist.first.variant == variant; };
    if (std::any_of(chosen.begin(), chosen.end(), is_of_variant)) continue;
    if (const auto best = std::find_if(fastest.begin(), fastest.end(), is_of_variant); best != fastest.end())
      chosen.push_back(*best);
  }
  return chosen;
}

// Returns the best timing of a variant, or null.
const Timed* best_of(const std::string& variant, const std::vector<Timed>& timings) {
  const Timed* best = nullptr;
  for (const Timed& timed : timings)
    if (timed.choice.variant == variant && (best == nullptr || timed.seconds < best->seconds)) best = &timed;
  return best;
}

double best_seconds(const Tuned& tuned) {
  double best = 0;
  for (const auto& [trial, evaluation] : tuned.evaluations)
    if (evaluation.status == Status::ok && (best == 0 || evaluation.seconds < best)) best = evaluation.seconds;
  return best;
}

}  // namespace

void TuningRun::final_round(Tuned& tuned, const Share& share) {
  const bool search_was_cut = clock_.elapsed() >= share.search_end;
  const Choice untuned = tuned.problem->untuned(engine_.profile());
  const auto chosen = choose_finalists(tuned, untuned, options_.variants);
  const double best = best_seconds(tuned);

  std::vector<Choice> choices;
  std::vector<std::unique_ptr<TunablePlan>> plans;
  double turn = 0;  // seconds of one round
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Trial trial{tuned.problem, chosen[i].first};
    {
      const std::lock_guard lock(mutex_);
      report(tuned, "verify", best);
    }
    const double timing = (min_rounds + 1) * (turn + round_seconds(chosen[i].second));
    const bool has_time =
        choices.empty() || clock_.elapsed() + expected_verify_seconds() + timing <= std::min(share.end, clock_.end());
    auto verified = has_time ? verify(trial, clock_.end() - timing) : std::nullopt;
    if (!verified) {
      tuned.unverified = chosen.size() - i;
      break;
    }
    if (verified->status == Status::ok) verified = add_trial_plan(engine_, trial, plans);
    if (verified->status != Status::ok) {
      journal_.end(trial, *verified);
      note(tuned, trial, *verified);
      if (trial.choice == untuned) tuned.untuned_message = verified->message;
      continue;
    }
    choices.push_back(trial.choice);
    turn += round_seconds(chosen[i].second);
  }
  if (choices.empty()) {
    tuned.out_of_time = tuned.unverified > 0 || (search_was_cut && !stopped());
    tuned.problem_message = tuned.out_of_time ? "time ran out before a configuration was verified"
                                              : "no configuration gave a correct result";
    return;
  }
  const auto seconds =
      bench_.time_in_turns(tuned.problem, plans, options_.rounds, std::min(min_rounds, options_.rounds),
                           clock_.deadline(std::min(share.end, clock_.end())));
  std::vector<Timed> timings;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Timed& result = timings.emplace_back(timed(choices[i], seconds[i]));
    if (result.choice == untuned) tuned.untuned = result;
    if (tuned.best.seconds == 0 || result.seconds < tuned.best.seconds) tuned.best = result;
  }
  if (tuned.untuned.seconds == 0) tuned.untuned = tuned.best;  // the untuned choice is wrong here
  // For a smaller gain, the library would keep the untuned choice: records err by as much.
  if (tuned.speedup() < detail::min_gain) tuned.best = tuned.untuned;
  tuned.best.untuned_seconds = tuned.untuned.untuned_seconds = tuned.untuned.seconds;
  for (const std::string& variant : options_.variants)
    if (const Timed* const best_timed = best_of(variant, timings);
        best_timed != nullptr && best_timed->choice != tuned.best.choice) {
      tuned.of_variants.push_back(*best_timed);
      tuned.of_variants.back().untuned_seconds = tuned.untuned.seconds;
    }
}

}  // namespace tilewright::tuning
