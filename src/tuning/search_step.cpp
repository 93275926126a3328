// A problem's search: tries configurations until its share of the budget is used up.
#include <algorithm>
#include <cmath>

#include "tuning/tunable/variant_spaces.hpp"
#include "tuning/tuning_run.hpp"

namespace tilewright::tuning {

// Choices that the search's best is compared with: the untuned one and, if only some variants are tuned, the one by
// records.
std::vector<Choice> TuningRun::reference_choices(const Problem& problem) const {
  std::vector<Choice> choices{problem->untuned(engine_.profile())};
  if (options_.variants.empty()) return choices;
  const Explanation recorded = find_operation(problem->operation()).chooser(engine_.profile())(problem);
  choices.push_back({recorded.variant, recorded.configuration});
  return choices;
}

bool TuningRun::is_wanted(const std::string& variant) const {
  const std::vector<std::string>& wanted = options_.variants;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), variant) != wanted.end();
}

void TuningRun::search(Tuned& tuned, const Share& share) {
  std::vector<Choice> hints;
  {
    const std::lock_guard lock(mutex_);
    hints = winners_;
  }
  const DeviceProfile& device = engine_.profile();
  const bool exhaustive = options_.strategy == "full";
  SearchSchedule schedule(variant_spaces(tuned.problem, device, options_.variants, hints), options_.strategy,
                          options_.seed, exhaustive);
  double best = std::numeric_limits<double>::infinity();
  const auto learn = [&](const Trial& trial, const Evaluation& evaluation) {
    schedule.report(trial.choice, evaluation.objective());
    if (evaluation.status == Status::ok && is_wanted(trial.choice.variant)) best = std::min(best, evaluation.seconds);
    const std::lock_guard lock(mutex_);
    report(tuned, "search", std::isfinite(best) ? best : 0);
  };
  // A trial may run on until halfway into the time of the final.
  const auto try_out = [&](const Trial& trial) {
    const auto evaluation = evaluate(tuned, trial, best, std::min((share.search_end + share.end) / 2, clock_.end()));
    if (evaluation) learn(trial, *evaluation);
    return evaluation.has_value();
  };

  for (const auto& [trial, evaluation] : journal_.known())
    if (trial.problem == tuned.problem) {
      note(tuned, trial, evaluation);
      learn(trial, evaluation);
    }
  const auto tried = [&](const Trial& wanted) {
    return std::any_of(tuned.evaluations.begin(), tuned.evaluations.end(),
                       [&](const Journal::Entry& entry) { return entry.first.choice == wanted.choice; });
  };
  for (const Choice& choice : reference_choices(tuned.problem))
    if (const Trial trial{tuned.problem, choice}; !tried(trial) && !try_out(trial)) return;
  for (const Trial& trial : journal_.interrupted())
    if (trial.problem == tuned.problem && !stopped() && !tried(trial) && !try_out(trial)) return;

  while (!stopped()) {
    const bool used_up =
        tuned.evaluations.size() >= options_.budget.evaluations || clock_.elapsed() >= share.search_end;
    const auto choice = used_up ? std::nullopt : schedule.next();
    if (!choice || !try_out({tuned.problem, *choice})) {
      tuned.complete = true;
      return;
    }
  }
}

}  // namespace tilewright::tuning
