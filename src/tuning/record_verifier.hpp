// Verifies and times stored records again, for example after a driver update.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tuning/measure/device_evaluator.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {

class RecordVerifier {
 public:
  enum class Outcome {
    right,    ///< it was timed again
    dropped,  ///< it is wrong, or breaks the rules
    kept,     ///< it could not be tried, for a reason unrelated to it
  };

  struct Listener {
    std::function<void(std::size_t index, std::size_t count)> at{};  ///< index of the next record
    /// `before` is the stored record; `record` replaces it. `message` says why the record is not right.
    std::function<void(Outcome, const ProblemRecord& before, const ProblemRecord& record, const std::string& message)>
        outcome{};
  };

  /// All arguments must outlive the verifier. `evaluator` tries choices, `bench` times them. The caller may set `stop`
  /// at any time.
  RecordVerifier(const Engine& engine, const Operation& operation, Evaluator& evaluator, DeviceEvaluator& bench,
                 const std::atomic<bool>& stop, Listener listener);

  /// Verifies records of an operation, as read from the device's file, and updates the file: right records get new
  /// times, dropped ones are removed. Changes nothing if stopped early. Returns whether it finished and all records
  /// were right.
  bool run(std::vector<ProblemRecord> records);

 private:
  bool verify_problem(std::span<const ProblemRecord> records);
  void time_again(const Choice* untuned, std::span<const ProblemRecord> group, unsigned rounds);

  const Engine& engine_;
  const Operation& operation_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  const std::atomic<bool>& stop_;
  Listener listener_;
  std::vector<ProblemRecord> before_, after_;  // stored records, and their replacements
};

}  // namespace tilewright::tuning
