#include "tuning/measure/device_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <system_error>

#include "runtime/system/stopwatch.hpp"
#include "tilewright/error.hpp"
#include "tuning/measure/descriptors.hpp"

namespace tilewright::tuning {
namespace {

constexpr double probe_limit = 1.25;  // times the best; slower configurations get no second timing
constexpr double hopeless = 4;        // times the best; not launched if expected to be slower and long
constexpr double long_seconds = 0.2;  // shorter launches need no estimate

// Makes another engine of the same context, which releases its programs when destroyed.
Engine passing_engine(const Engine& engine) {
  Engine passing(engine.context(), engine.device());
  passing.set_cache({.mode = CacheMode::off});
  return passing;
}

void check_time(Deadline deadline) {
  if (std::chrono::steady_clock::now() >= deadline) throw OutOfTime();
}

// Throws SystemError if a failure is the system's.
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

std::unique_ptr<TunablePlan> make_trial_plan(const Engine& engine, const Trial& trial) {
  return trial.problem->plan(passing_engine(engine), trial.choice);
}

Evaluation add_trial_plan(const Engine& engine, const Trial& trial, std::vector<std::unique_ptr<TunablePlan>>& plans) {
  try {
    plans.push_back(make_trial_plan(engine, trial));
    return {.status = Status::ok};
  } catch (const std::exception& problem) {
    check_system(problem);
    return failure(problem);
  }
}

std::shared_ptr<Workbench> DeviceEvaluator::bench(const Problem& problem) {
  constexpr std::size_t most = 4;  // one per thread that tunes problems
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
  const detail::Stopwatch compiling;
  const Engine passing = passing_engine(engine_);
  const auto plan = trial.problem->plan(passing, trial.choice);
  Problem little;
  std::unique_ptr<TunablePlan> little_plan;
  if (std::isfinite(best_seconds) && 200 * best_seconds > long_seconds) {
    little = trial.problem->smaller();
    little_plan = little->plan(passing, trial.choice);
  }
  result.compile_seconds = compiling.seconds();
  check_time(deadline);
  const auto data = bench(trial.problem);

  const std::lock_guard lock(device_);
  if (little_plan) {
    // Times only the second call, because the first may still compile. The check at full size verifies the result.
    Workbench little_bench(engine_, little);
    little_bench.check(*little_plan);
    unsigned calls = 1;
    result.seconds =
        little_bench.time(*little_plan, calls, 0) * trial.problem->work().amount() / little->work().amount();
    if (result.seconds > std::max(hopeless * best_seconds, long_seconds)) {
      result.status = Status::slow;
      return result;
    }
  }
  check_time(deadline);
  const detail::Stopwatch first_call;
  result.message = data->check(*plan);
  result.compile_seconds += first_call.seconds();
  if (!result.message.empty()) {
    result.status = Status::correctness;
    return result;
  }
  if (!clock_) clock_ = data->choose_clock(*plan);
  data->set_clock(*clock_);
  unsigned calls = 0;
  result.seconds = data->time(*plan, calls, batch_seconds);
  result.timings = 1;
  result.status = Status::slow;
  if (result.seconds > probe_limit * best_seconds) return result;
  result.status = Status::ok;
  for (; result.timings < 3; ++result.timings)
    result.seconds = std::min(result.seconds, data->time(*plan, calls, batch_seconds));
  return result;
} catch (const OutOfTime&) {
  throw;
} catch (const std::exception& problem) {
  check_system(problem);
  return failure(problem);
}

Evaluation DeviceEvaluator::verify(const Trial& trial, Deadline deadline) {
  const std::string key = std::string(trial.problem->operation()) + ' ' + trial.choice.variant + ' ' +
                          to_string(trial.choice.configuration) + ' ' + trial.problem->form();
  {
    const std::lock_guard lock(verified_mutex_);
    if (const auto known = verified_.find(key); known != verified_.end()) return known->second;
  }
  Evaluation result{.status = Status::ok};
  try {
    const Engine passing = passing_engine(engine_);
    const std::lock_guard lock(device_);
    result.message = trial.problem->verify(passing, trial.choice, [&] { check_time(deadline); });
    if (!result.message.empty()) result.status = Status::correctness;
  } catch (const OutOfTime&) {
    throw;
  } catch (const std::exception& problem) {
    check_system(problem);
    result = failure(problem);
  }
  const std::lock_guard lock(verified_mutex_);
  return verified_.emplace(key, result).first->second;
}

std::vector<std::vector<double>> DeviceEvaluator::time_in_turns(const Problem& problem,
                                                                std::span<const std::unique_ptr<TunablePlan>> plans,
                                                                unsigned rounds, unsigned min_rounds,
                                                                Deadline deadline) {
  const auto data = bench(problem);
  const std::lock_guard lock(device_);
  std::vector<std::vector<double>> seconds(plans.size());
  std::vector<unsigned> calls(plans.size());
  for (unsigned round = 0; round <= rounds; ++round) {
    if (round > min_rounds && std::chrono::steady_clock::now() >= deadline) break;
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
