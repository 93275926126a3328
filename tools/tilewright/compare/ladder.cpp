#include "compare/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "estimate.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/progress.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {
namespace {

/// Products with at most this many operations run without a time estimate.
constexpr double small_flops = 1e9;
constexpr unsigned timing_runs = 5;

}  // namespace

void Ladder::add_variants(const std::vector<VariantInfo>& variants) {
  for (const VariantInfo& variant : variants) {
    add_variant({variant.name, {}});
    for (const Configuration& strategy : variant.strategies) add_variant({variant.name, strategy});
  }
}

void Ladder::add_reference(const std::string& name) {
  show_progress(fmt::format("first call of {}", name));
  LadderRow& row = references_.emplace_back();
  row.result.variant = name;
  try {
    row.entrant = make_entrant(name, workload_, [&] { return make_reference(name, workload_); });
    note_failure(*row.entrant);
  } catch (const std::exception& error) {
    row.result.note = fmt::format("failed: {}", error.what());
    failures_.push_back(fmt::format("{}: {}", name, error.what()));
  }
}

void Ladder::time() {
  std::vector<Entrant*> timed;
  for (std::deque<LadderRow>* const rows : {&variants_, &references_}) {
    for (LadderRow& row : *rows) {
      if (row.entrant) timed.push_back(&*row.entrant);
    }
  }
  MeasureLimits limits;
  limits.runs = timing_runs;
  limits.budget_seconds = budget_seconds;
  measure(timed, limits);
  for (std::deque<LadderRow>* const rows : {&variants_, &references_}) {
    for (LadderRow& row : *rows) {
      row.result.problem = workload_.problem();
      if (row.entrant) row.result.set_measurement(*row.entrant);
    }
  }
  for (LadderRow& row : variants_) {
    for (const LadderRow& reference : references_) {
      if (reference.entrant) row.result.add_reference(*reference.entrant);
    }
  }
}

std::vector<std::string> Ladder::failures() const {
  std::vector<std::string> all = failures_;
  const auto was_run = [](const LadderRow& row) { return row.entrant.has_value(); };
  if (std::none_of(variants_.begin(), variants_.end(), was_run)) all.emplace_back("no variant was run");
  return all;
}

void Ladder::add_variant(const Choice& choice) {
  show_progress(fmt::format("first call of {} {}", choice.variant, tilewright::to_string(choice.configuration)));
  LadderRow& row = variants_.emplace_back();
  row.result.variant = choice.variant;
  row.result.configuration = tilewright::to_string(choice.configuration);
  const Support support = gemm_support(session_.device().profile, choice.variant, workload_.problem());
  if (!support.supported) {
    row.result.note = fmt::format("skipped: {}", support.reason);
    return;
  }
  try {
    run_variant(row, choice);
  } catch (const Error& error) {
    row.result.note = fmt::format("skipped: {}", error.what());
    // A strategy may exceed this device's limits. Other errors are failures.
    if (error.code() == ErrorCode::invalid_configuration || error.code() == ErrorCode::unsupported_variant) return;
    row.result.note = fmt::format("failed: {}", error.what());
    failures_.push_back(fmt::format("{}: {}", choice.variant, error.what()));
  }
}

void Ladder::run_variant(LadderRow& row, const Choice& choice) {
  const GemmProblem& problem = workload_.problem();
  const ProgramStatistics before = session_.engine().program_statistics();
  double first_call_seconds = 0;
  if (flops_of(problem) > small_flops) {
    const Estimate estimate = estimate_call(session_, problem, choice, budget_seconds);
    first_call_seconds = estimate.first_call_seconds;
    if (!estimate.affordable) {
      row.result.note = fmt::format("capped: a call at {} x {} x {} would take about {}, the budget is {}",
                                    estimate.problem.m, estimate.problem.n, estimate.problem.k,
                                    format_seconds(estimate.seconds), format_seconds(budget_seconds));
      return;
    }
  }
  row.entrant = make_entrant(choice.variant, workload_, [&] {
    GemmPlan plan(session_.engine(), problem, choice);
    row.result.configuration = tilewright::to_string(plan.explanation().configuration);
    return make_plan_contender(workload_, std::move(plan));
  });
  // The estimate's first small call may have compiled this plan's kernel, so its time counts.
  row.entrant->first_call_seconds += first_call_seconds;
  row.entrant->compilation = compiled_since(before, session_.engine());
  note_failure(*row.entrant);
}

void Ladder::note_failure(const Entrant& entrant) {
  if (!entrant.verified()) failures_.push_back(describe_failure(entrant));
}

}  // namespace tilewright::tool
