// Trials of configurations in this process.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tuning/measure/evaluation.hpp"
#include "tuning/measure/workbench.hpp"

namespace tilewright::tuning {

/// Makes a plan that releases its program when destroyed. An engine would keep every tried program, in memory and on
/// disk.
std::unique_ptr<TunablePlan> make_trial_plan(const Engine& engine, const Trial& trial);

/// Adds such a plan to `plans`. Returns Status::ok, or why there is none: a choice that another process verified can
/// fail in this one. Throws SystemError.
Evaluation add_trial_plan(const Engine& engine, const Trial& trial, std::vector<std::unique_ptr<TunablePlan>>& plans);

/// Tries configurations in this process. Thread-safe: threads compile at the same time and take turns at the device.
class DeviceEvaluator : public Evaluator {
 public:
  explicit DeviceEvaluator(Engine engine) : engine_(std::move(engine)) {}

  /// Checks the deadline between compiling, checking and timing, and between the cases of verify().
  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline = no_deadline) override;
  Evaluation verify(const Trial& trial, Deadline deadline = no_deadline) override;

  /// Minimum duration of one timing in seconds.
  static constexpr double batch_seconds = 2e-3;  // well above the resolution of every timer in use

  /// Times plans of one problem in turns, `rounds` times each, so that changes of the machine's speed affect all plans
  /// alike. Returns one list of timings per plan, all equally long. After the deadline, `min_rounds` rounds are enough.
  std::vector<std::vector<double>> time_in_turns(const Problem& problem,
                                                 std::span<const std::unique_ptr<TunablePlan>> plans, unsigned rounds,
                                                 unsigned min_rounds = 1, Deadline deadline = no_deadline);

 private:
  // Returns the bench of a problem; keeps only a few recent ones.
  std::shared_ptr<Workbench> bench(const Problem& problem);

  Engine engine_;
  std::mutex device_;  // held while the device is in use
  std::mutex benches_mutex_;
  std::vector<std::shared_ptr<Workbench>> benches_;
  std::optional<Clock> clock_;
  std::mutex verified_mutex_;
  std::map<std::string, Evaluation> verified_;
};

}  // namespace tilewright::tuning
