// The time lost by choosing from records, compared with the best configuration found.
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
  std::string reason;  ///< for the choice
  double chosen_seconds = 0;
  Choice best{};
  double best_seconds = 0;
  std::size_t tried = 0;

  double value() const { return chosen_seconds / best_seconds; }
};

struct RegretOptions {
  std::size_t tries = 50;  ///< per problem
  std::uint64_t seed = 1;  ///< of random configurations
};

/// Compares the choice by records with the best of many tries, in turns. Thread-safe.
class RegretMeter {
 public:
  /// All arguments must outlive the meter. Reads the operation's records. `evaluator` tries configurations; `bench`
  /// times the choice and the best. Trials in the journal are not repeated.
  RegretMeter(const Engine& engine, const Operation& operation, Evaluator& evaluator, DeviceEvaluator& bench,
              Journal& journal, const RegretOptions& options);

  /// Whether a problem has records of its own.
  bool has_records(const Problem& problem) const;

  /// Throws std::runtime_error if the choice failed. Calls `report_try` before each try with the number of tries so
  /// far.
  Regret measure(const Problem& problem, const std::function<void(std::size_t)>& report_try) const;

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
