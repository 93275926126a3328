#include "tuning/device_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <system_error>

#include "gemm/problem.hpp"
#include "records/record_json.hpp"
#include "tilewright/error.hpp"
#include "tuning/descriptors.hpp"
#include "verification/conformance_cases.hpp"
#include "verification/gemm_trial.hpp"

namespace tilewright::tuning {
namespace {

constexpr double probe_limit = 1.25;  // times the best; what is slower gets no second timing
constexpr double hopeless = 4;        // times the best; what promises to be slower and to take long is not launched
constexpr double long_seconds = 0.2;  // what takes less is launched without asking

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double work_of(const GemmProblem& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch.count);
}

// A sixty-fourth of the work, in sizes that compile to the same program.
GemmProblem smaller(const GemmProblem& problem) {
  GemmProblem small = problem;
  for (auto* const size : {&small.m, &small.n, &small.k})
    if (*size > 64) *size = std::max<std::uint64_t>(64, *size / 4 / 16 * 16);
  return small;
}

// Another engine of the same context, which forgets its programs when it goes.
Engine passing_engine(const Engine& engine) {
  Engine passing(engine.context(), engine.device());
  passing.set_cache({.mode = CacheMode::off});
  return passing;
}

void check_time(Deadline deadline) {
  if (std::chrono::steady_clock::now() >= deadline) throw OutOfTime();
}

// Throws SystemError where a failure is the system's.
void check_system(const std::exception& problem) {
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr || dynamic_cast<const std::system_error*>(&problem))
    throw SystemError(std::string("the host has too little memory or too few threads: ") + problem.what());
  if (dynamic_cast<const SystemError*>(&problem) != nullptr) throw SystemError(problem.what());
  require_descriptors();
}

Evaluation failure(const std::exception& problem) {
  Evaluation result{.message = problem.what()};
  if (const auto* error = dynamic_cast<const Error*>(&problem)) {
    if (error->code() == ErrorCode::invalid_configuration) result.status = Status::constraints;
    if (error->code() == ErrorCode::build_failed) result.status = Status::compile;
  }
  return result;
}

}  // namespace

std::unique_ptr<GemmPlan> make_trial_plan(const Engine& engine, const Trial& trial) {
  return std::make_unique<GemmPlan>(passing_engine(engine), trial.problem,
                                    GemmChoice{trial.variant, trial.configuration});
}

std::shared_ptr<Workbench> DeviceEvaluator::bench(const GemmProblem& problem) {
  constexpr std::size_t most = 4;  // as many as threads work on problems
  const std::lock_guard lock(benches_mutex_);
  for (const auto& known : benches_)
    if (known->problem() == problem) return known;
  if (benches_.size() == most) benches_.erase(benches_.begin());
  benches_.push_back(std::make_shared<Workbench>(engine_, problem));
  return benches_.back();
}

Evaluation DeviceEvaluator::evaluate(const Trial& trial, double best_seconds, Deadline deadline) try {
  check_time(deadline);
  Evaluation result;
  const auto start = std::chrono::steady_clock::now();
  const Engine passing = passing_engine(engine_);
  const GemmChoice choice{trial.variant, trial.configuration};
  const GemmPlan plan(passing, trial.problem, choice);
  std::optional<GemmPlan> little_plan;
  const GemmProblem little = smaller(trial.problem);
  if (std::isfinite(best_seconds) && 200 * best_seconds > long_seconds) little_plan.emplace(passing, little, choice);
  result.compile_seconds = seconds_since(start);
  check_time(deadline);
  const auto data = bench(trial.problem);

  const std::lock_guard lock(device_);
  if (little_plan) {
    // Only the second call is timed: the first may still compile. Whether it is right, the check at full size tells.
    Workbench little_bench(engine_, little);
    little_bench.check(*little_plan);
    unsigned calls = 1;
    result.seconds = little_bench.time(*little_plan, calls, 0) * work_of(trial.problem) / work_of(little);
    if (result.seconds > std::max(hopeless * best_seconds, long_seconds)) {
      result.status = Status::slow;
      return result;
    }
  }
  check_time(deadline);
  const auto first = std::chrono::steady_clock::now();
  result.message = data->check(plan);
  result.compile_seconds += seconds_since(first);
  if (!result.message.empty()) {
    result.status = Status::correctness;
    return result;
  }
  if (!clock_) clock_ = data->choose_clock(plan);
  data->set_clock(*clock_);
  unsigned calls = 0;
  result.seconds = data->time(plan, calls, batch_seconds);
  result.timings = 1;
  result.status = Status::slow;
  if (result.seconds > probe_limit * best_seconds) return result;
  result.status = Status::ok;
  for (; result.timings < 3; ++result.timings)
    result.seconds = std::min(result.seconds, data->time(plan, calls, batch_seconds));
  return result;
} catch (const OutOfTime&) {
  throw;
} catch (const std::exception& problem) {
  check_system(problem);
  return failure(problem);
}

Evaluation DeviceEvaluator::verify(const Trial& trial, Deadline deadline) {
  const GemmProblem& p = trial.problem;
  const std::string key = trial.variant + ' ' + to_string(trial.configuration) + ' ' + std::string(to_string(p.type)) +
                          detail::transposes_of(p) + (detail::is_batched(p) ? " batch" : "");
  {
    const std::lock_guard lock(verified_mutex_);
    if (const auto known = verified_.find(key); known != verified_.end()) return known->second;
  }
  const verification::Form form{p.type, Layout::row_major, p.trans_a, p.trans_b, detail::is_batched(p)};
  Evaluation result{.status = Status::ok};
  try {
    const Engine passing = passing_engine(engine_);
    const std::lock_guard lock(device_);
    for (const auto& test :
         verification::conformance_cases(trial.variant, trial.configuration, form, verification::Breadth::edges)) {
      check_time(deadline);
      if (const std::string wrong = verification::try_gemm_case(passing, test); !wrong.empty()) {
        result = {.status = Status::correctness, .message = wrong + "; case: " + verification::to_string(test)};
        break;
      }
    }
  } catch (const OutOfTime&) {
    throw;
  } catch (const std::exception& problem) {
    check_system(problem);
    result = failure(problem);
  }
  const std::lock_guard lock(verified_mutex_);
  return verified_.emplace(key, result).first->second;
}

std::vector<std::vector<double>> DeviceEvaluator::time_in_turns(const GemmProblem& problem,
                                                                std::span<const GemmPlan* const> plans, unsigned rounds,
                                                                unsigned least_rounds, Deadline deadline) {
  const auto data = bench(problem);
  const std::lock_guard lock(device_);
  std::vector<std::vector<double>> seconds(plans.size());
  std::vector<unsigned> calls(plans.size());
  for (unsigned round = 0; round <= rounds; ++round) {
    if (round > least_rounds && std::chrono::steady_clock::now() >= deadline) break;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!clock_) clock_ = data->choose_clock(*plans[i]);
      data->set_clock(*clock_);
      const double value = data->time(*plans[i], calls[i], batch_seconds);
      if (round > 0) seconds[i].push_back(value);  // the first round warms up
    }
  }
  return seconds;
}

}  // namespace tilewright::tuning
