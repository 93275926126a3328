// Trials of configurations in a child process.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "selection/json.hpp"
#include "tuning/measure/evaluation.hpp"
#include "verification/check/worker_process.hpp"

namespace tilewright::tuning {

/// Tries configurations in a child process, which may crash or hang without harming the run. A child that exceeds the
/// time limit is ended and replaced. If the system killed the child, as it does when memory runs out, the trial is
/// repeated once.
class IsolatedEvaluator : public Evaluator {
 public:
  /// `command` starts a program that runs serve() on its device. `limit_seconds` applies to one trial.
  IsolatedEvaluator(std::vector<std::string> command, double limit_seconds);

  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline = no_deadline) override;
  Evaluation verify(const Trial& trial, Deadline deadline = no_deadline) override;

  /// The child's side: reports that it is ready, then answers requests from standard input on file descriptor 3 until
  /// the input ends.
  static void serve(Evaluator& evaluator);

  /// The child's side if it cannot serve: reports why.
  static void refuse(const std::string& why);

 private:
  Evaluation evaluation(const nlohmann::ordered_json& request, double limit_seconds, Deadline deadline);
  nlohmann::json ask(const nlohmann::ordered_json& request, double limit_seconds, Deadline deadline);
  nlohmann::json ask_once(const std::string& request, double limit_seconds, Deadline deadline);
  void start(Deadline deadline);

  std::vector<std::string> command_;
  double limit_seconds_;
  std::mutex mutex_;
  std::optional<verification::WorkerProcess> worker_;
};

}  // namespace tilewright::tuning
