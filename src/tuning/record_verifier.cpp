#include "tuning/record_verifier.hpp"

#include <algorithm>

#include "tuning/measure/median.hpp"
#include "tuning/tuned.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tuning {
namespace {

// Whether a failure is the choice's own and would recur. Other failures are the system's: a killed process, a lack of
// memory, or a driver that could not compile at that moment.
bool is_caused_by_choice(Status status) { return status == Status::correctness || status == Status::constraints; }

Choice choice_of(const ProblemRecord& record) { return {record.variant, record.configuration}; }

}  // namespace

RecordVerifier::RecordVerifier(const Engine& engine, const Operation& operation, Evaluator& evaluator,
                               DeviceEvaluator& bench, const std::atomic<bool>& stop, Listener listener)
    : engine_(engine),
      operation_(operation),
      evaluator_(evaluator),
      bench_(bench),
      stop_(stop),
      listener_(std::move(listener)) {}

// Times verified records of one problem again, in turns with the untuned choice if that is correct.
void RecordVerifier::time_again(const Choice* untuned, std::span<const ProblemRecord> group, unsigned rounds) {
  const Problem& problem = group.front().problem;
  std::vector<std::unique_ptr<TunablePlan>> plans;
  if (untuned != nullptr) plans.push_back(make_trial_plan(engine_, {problem, *untuned}));
  const std::size_t first = plans.size();
  for (const ProblemRecord& record : group) plans.push_back(make_trial_plan(engine_, {problem, choice_of(record)}));
  const auto seconds = bench_.time_in_turns(problem, plans, rounds);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Timed result = timed(choice_of(group[i]), seconds[first + i]);
    ProblemRecord updated = group[i];
    updated.seconds = result.seconds;
    updated.variation = result.variation;
    updated.timings = result.timings;
    if (untuned != nullptr) updated.untuned_seconds = median(seconds.front());
    updated.driver = engine_.profile().driver_version;
    listener_.outcome(Outcome::right, group[i], updated, {});
    before_.push_back(group[i]);
    after_.push_back(std::move(updated));
  }
}

// Verifies the records of one problem.
bool RecordVerifier::verify_problem(std::span<const ProblemRecord> records) {
  const Problem& problem = records.front().problem;
  const auto check = [&](const Choice& choice) {
    const Evaluation evaluation = evaluator_.evaluate({problem, choice});
    return evaluation.timed() ? evaluator_.verify({problem, choice}) : evaluation;
  };
  bool all_right = true;
  // Records of a final are timed as often again. Others are timed less often, so that they remain less certain.
  std::vector<ProblemRecord> finals, others;
  for (const ProblemRecord& record : records) {
    if (stop_) return false;
    const Evaluation evaluation = check(choice_of(record));
    if (evaluation.status == Status::ok) {
      (record.timings > compare_rounds ? finals : others).push_back(record);
      continue;
    }
    all_right = false;
    const bool drops = is_caused_by_choice(evaluation.status);
    if (drops) before_.push_back(record);
    listener_.outcome(drops ? Outcome::dropped : Outcome::kept, record, record,
                      std::string(to_string(evaluation.status)) + ": " + evaluation.message);
  }
  const Choice untuned = problem->untuned(engine_.profile());
  const bool has_untuned = check(untuned).status == Status::ok;
  for (const std::vector<ProblemRecord>* const group : {&finals, &others})
    if (!group->empty() && !stop_)
      time_again(has_untuned ? &untuned : nullptr, *group, group == &finals ? final_rounds : compare_rounds);
  return all_right;
}

bool RecordVerifier::run(std::vector<ProblemRecord> records) {
  before_.clear();
  after_.clear();
  bool all_right = true;
  for (auto first = records.begin(); first != records.end() && !stop_;) {
    listener_.at(static_cast<std::size_t>(first - records.begin()), records.size());
    const Problem problem = first->problem;
    const auto last = std::stable_partition(first, records.end(),
                                            [&](const ProblemRecord& record) { return record.problem == problem; });
    all_right = verify_problem({first, last}) && all_right;
    first = last;
  }
  if (stop_) return false;
  operation_.update_records(engine_.profile(), before_, after_);
  return all_right;
}

}  // namespace tilewright::tuning
