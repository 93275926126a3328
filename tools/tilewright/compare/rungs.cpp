#include "compare/rungs.hpp"

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
  Rung& rung = references_.emplace_back();
  rung.result.variant = name;
  try {
    rung.entrant = make_entrant(name, workload_, [&] { return make_reference(name, workload_); });
    note_failure(*rung.entrant);
  } catch (const std::exception& error) {
    rung.result.note = fmt::format("failed: {}", error.what());
    failures_.push_back(fmt::format("{}: {}", name, error.what()));
  }
}

void Ladder::time() {
  std::vector<Entrant*> timed;
  for (std::deque<Rung>* const rungs : {&variants_, &references_}) {
    for (Rung& rung : *rungs) {
      if (rung.entrant) timed.push_back(&*rung.entrant);
    }
  }
  MeasureLimits limits;
  limits.runs = timing_runs;
  limits.budget_seconds = budget_seconds;
  measure(timed, limits);
  for (std::deque<Rung>* const rungs : {&variants_, &references_}) {
    for (Rung& rung : *rungs) {
      rung.result.problem = workload_.problem();
      if (rung.entrant) rung.result.set_measurement(*rung.entrant);
    }
  }
  for (Rung& rung : variants_) {
    for (const Rung& reference : references_) {
      if (reference.entrant) rung.result.add_reference(*reference.entrant);
    }
  }
}

std::vector<std::string> Ladder::failures() const {
  std::vector<std::string> all = failures_;
  const auto was_run = [](const Rung& rung) { return rung.entrant.has_value(); };
  if (std::none_of(variants_.begin(), variants_.end(), was_run)) all.emplace_back("no variant was run");
  return all;
}

void Ladder::add_variant(const Choice& choice) {
  show_progress(fmt::format("first call of {} {}", choice.variant, tilewright::to_string(choice.configuration)));
  Rung& rung = variants_.emplace_back();
  rung.result.variant = choice.variant;
  rung.result.configuration = tilewright::to_string(choice.configuration);
  const Support support = gemm_support(session_.device().profile, choice.variant, workload_.problem());
  if (!support.supported) {
    rung.result.note = fmt::format("skipped: {}", support.reason);
    return;
  }
  try {
    climb(rung, choice);
  } catch (const Error& error) {
    rung.result.note = fmt::format("skipped: {}", error.what());
    // A strategy may exceed this device's limits. Other errors are failures.
    if (error.code() == ErrorCode::invalid_configuration || error.code() == ErrorCode::unsupported_variant) return;
    rung.result.note = fmt::format("failed: {}", error.what());
    failures_.push_back(fmt::format("{}: {}", choice.variant, error.what()));
  }
}

void Ladder::climb(Rung& rung, const Choice& choice) {
  const GemmProblem& problem = workload_.problem();
  const ProgramStatistics before = session_.engine().program_statistics();
  double first_call_seconds = 0;
  if (flops_of(problem) > small_flops) {
    const Estimate estimate = estimate_call(session_, problem, choice, budget_seconds);
    first_call_seconds = estimate.first_call_seconds;
    if (!estimate.affordable) {
      rung.result.note = fmt::format("capped: a call at {} x {} x {} would take about {}, the budget is {}",
                                     estimate.problem.m, estimate.problem.n, estimate.problem.k,
                                     format_seconds(estimate.seconds), format_seconds(budget_seconds));
      return;
    }
  }
  rung.entrant = make_entrant(choice.variant, workload_, [&] {
    GemmPlan plan(session_.engine(), problem, choice);
    rung.result.configuration = tilewright::to_string(plan.explanation().configuration);
    return make_plan_contender(workload_, std::move(plan));
  });
  // The estimate's first small call may have compiled this plan's kernel, so its time counts.
  rung.entrant->first_call_seconds += first_call_seconds;
  rung.entrant->compilation = compiled_since(before, session_.engine());
  note_failure(*rung.entrant);
}

void Ladder::note_failure(const Entrant& entrant) {
  if (!entrant.verified()) failures_.push_back(describe_failure(entrant));
}

}  // namespace tilewright::tool
