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

/// A plan whose program goes with it: an engine would keep every program that is tried, in memory and on disk.
std::unique_ptr<TunablePlan> make_trial_plan(const Engine& engine, const Trial& trial);

/// Tries configurations in this process. Safe to use from several threads: they compile side by side and take turns at
/// the device.
class DeviceEvaluator : public Evaluator {
 public:
  explicit DeviceEvaluator(Engine engine) : engine_(std::move(engine)) {}

  /// A deadline is looked at between compiling, checking and timing, and between the cases of verify().
  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline = no_deadline) override;
  Evaluation verify(const Trial& trial, Deadline deadline = no_deadline) override;

  /// The least seconds that one timing takes.
  static constexpr double batch_seconds = 2e-3;  // well above the resolution of every timer in use

  /// Times plans of one problem in turns, `rounds` times each, so that a change of the machine's speed meets all alike;
  /// a list of timings for each, all equally long. After the deadline, `min_rounds` are enough.
  std::vector<std::vector<double>> time_in_turns(const Problem& problem,
                                                 std::span<const std::unique_ptr<TunablePlan>> plans, unsigned rounds,
                                                 unsigned min_rounds = 1, Deadline deadline = no_deadline);

 private:
  // The bench of a problem; that of the one before is dropped.
  std::shared_ptr<Workbench> bench(const Problem& problem);

  Engine engine_;
  std::mutex device_;  // held while something is timed
  std::mutex benches_mutex_;
  std::vector<std::shared_ptr<Workbench>> benches_;
  std::optional<Clock> clock_;
  std::mutex verified_mutex_;
  std::map<std::string, Evaluation> verified_;
};

}  // namespace tilewright::tuning
