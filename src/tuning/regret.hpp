// What the choice by records costs.
#pragma once

#include <functional>
#include <string>

#include "tuning/journal.hpp"
#include "tuning/measure/device_evaluator.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {

struct Regret {
  Problem problem;
  Choice chosen;
  std::string reason;  ///< of the choice
  double chosen_seconds = 0;
  Choice best{};
  double best_seconds = 0;
  std::size_t tried = 0;

  double value() const { return chosen_seconds / best_seconds; }
};

struct RegretOptions {
  std::size_t tries = 50;  ///< configurations of each problem
  std::uint64_t seed = 1;  ///< of the random choices
};

/// Measures the choice by records and the best of many tries in turns. Safe to use from several threads.
class RegretMeter {
 public:
  /// Everything that is passed must outlive it. Reads the operation's records. `evaluator` tries, `bench` times the
  /// choice and the best; what the journal holds is not tried again.
  RegretMeter(const Engine& engine, const Operation& operation, Evaluator& evaluator, DeviceEvaluator& bench,
              Journal& journal, const RegretOptions& options);

  /// Whether a problem has records of its own.
  bool has_records(const Problem& problem) const;

  /// Throws std::runtime_error where the choice failed; `tell` hears after each try how many they were.
  Regret measure(const Problem& problem, const std::function<void(std::size_t)>& tell) const;

 private:
  Evaluation evaluate(const Trial& trial, double best) const;

  const Engine& engine_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  Journal& journal_;
  RegretOptions options_;
  std::vector<ProblemRecord> records_;
  Chooser choose_;
};

}  // namespace tilewright::tuning
