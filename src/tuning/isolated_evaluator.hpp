#pragma once

#include <sys/types.h>

#include <mutex>
#include <string>
#include <vector>

#include "records/json.hpp"
#include "tuning/evaluation.hpp"

namespace tilewright::tuning {

/// Tries configurations in a child process, which may crash or hang without the run: it is ended after a while, and a
/// new one takes its place.
class IsolatedEvaluator : public Evaluator {
 public:
  /// `command` starts a program that runs serve() on its device. `limit_seconds` is for one trial.
  IsolatedEvaluator(std::vector<std::string> command, double limit_seconds);
  ~IsolatedEvaluator() override;
  IsolatedEvaluator(const IsolatedEvaluator&) = delete;
  IsolatedEvaluator& operator=(const IsolatedEvaluator&) = delete;

  Evaluation evaluate(const Trial& trial, double best_seconds) override;
  std::string verify(const Trial& trial) override;

  /// The child's side: answers requests from standard input on the file descriptor 3 until there are no more.
  static void serve(Evaluator& evaluator);

 private:
  nlohmann::json ask(const nlohmann::ordered_json& request, double limit_seconds);
  void start();
  void end();

  std::vector<std::string> command_;
  double limit_seconds_;
  std::mutex mutex_;
  pid_t child_ = -1;
  int requests_ = -1;
  int answers_ = -1;
};

}  // namespace tilewright::tuning
