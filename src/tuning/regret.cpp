#include "tuning/regret.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tuning/measure/median.hpp"
#include "tuning/tunable/variant_spaces.hpp"

namespace tilewright::tuning {

RegretMeter::RegretMeter(const Engine& engine, const Operation& operation, Evaluator& evaluator, DeviceEvaluator& bench,
                         Journal& journal, const RegretOptions& options)
    : engine_(engine),
      evaluator_(evaluator),
      bench_(bench),
      journal_(journal),
      options_(options),
      records_(operation.load_records(engine.profile()).records),
      choose_(operation.chooser(engine.profile())) {}

bool RegretMeter::has_records(const Problem& problem) const {
  return std::any_of(records_.begin(), records_.end(),
                     [&](const ProblemRecord& record) { return record.problem == problem; });
}

Evaluation RegretMeter::evaluate(const Trial& trial, double best) const {
  for (const auto& [known, evaluation] : journal_.known())
    if (known == trial) return evaluation;
  journal_.begin(trial);
  try {
    Evaluation evaluation = evaluator_.evaluate(trial, best);
    journal_.end(trial, evaluation);
    return evaluation;
  } catch (const SystemError&) {
    journal_.cut(trial);
    throw;
  }
}

Regret RegretMeter::measure(const Problem& problem, const std::function<void(std::size_t)>& report_try) const {
  const Explanation selected = choose_(problem);
  Regret regret{problem, {selected.variant, selected.configuration}, selected.reason};
  std::vector<std::pair<double, Choice>> right;
  double best = std::numeric_limits<double>::infinity();
  const auto try_out = [&](const Choice& choice) {
    const Evaluation evaluation = evaluate({problem, choice}, best);
    if (evaluation.status == Status::ok) {
      best = std::min(best, evaluation.seconds);
      right.emplace_back(evaluation.seconds, choice);
    }
    ++regret.tried;
    return evaluation.objective();
  };
  if (!try_out(regret.chosen)) throw std::runtime_error("the chosen configuration failed");

  std::vector<Choice> hints;
  for (const ProblemRecord& record : records_)
    if (record.problem->element() == problem->element()) hints.push_back({record.variant, record.configuration});
  SearchSchedule schedule(variant_spaces(problem, engine_.profile(), {}, hints), search_strategies().front(),
                          options_.seed, false);
  for (auto choice = schedule.next(); choice && regret.tried <= options_.tries; choice = schedule.next()) {
    report_try(regret.tried);
    schedule.report(*choice, try_out(*choice));
  }

  // Times the choice and the best three again, in turns.
  std::stable_sort(right.begin(), right.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
  std::vector<Choice> finalists{regret.chosen};
  for (const auto& [seconds, choice] : right)
    if (finalists.size() < 4 && choice != regret.chosen) finalists.push_back(choice);
  std::vector<std::unique_ptr<TunablePlan>> plans;
  for (const Choice& choice : finalists) plans.push_back(make_trial_plan(engine_, {problem, choice}));
  const auto seconds = bench_.time_in_turns(problem, plans, 10);
  regret.chosen_seconds = median(seconds.front());
  regret.best = regret.chosen;
  regret.best_seconds = regret.chosen_seconds;
  for (std::size_t i = 1; i < finalists.size(); ++i)
    if (const double value = median(seconds[i]); value < regret.best_seconds) {
      regret.best_seconds = value;
      regret.best = finalists[i];
    }
  return regret;
}

}  // namespace tilewright::tuning
