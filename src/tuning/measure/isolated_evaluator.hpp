#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "selection/json.hpp"
#include "tuning/measure/evaluation.hpp"
#include "verification/check/worker_process.hpp"

namespace tilewright::tuning {

/// Tries configurations in a child process, which may crash or hang without the run: it is ended after a while, and a
/// new one takes its place. One that the system killed, as it does when memory runs out, gets a second chance.
class IsolatedEvaluator : public Evaluator {
 public:
  /// `command` starts a program that runs serve() on its device. `limit_seconds` is for one trial.
  IsolatedEvaluator(std::vector<std::string> command, double limit_seconds);

  Evaluation evaluate(const Trial& trial, double best_seconds, Deadline deadline = no_deadline) override;
  Evaluation verify(const Trial& trial, Deadline deadline = no_deadline) override;

  /// The child's side: says that it is ready, then answers requests from standard input on the file descriptor 3 until
  /// there are no more.
  static void serve(Evaluator& evaluator);

  /// The child's side, where it cannot serve: tells why.
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
