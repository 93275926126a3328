// The stored records, verified and timed again, as after a driver's update.
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
    right,    ///< it was timed anew
    dropped,  ///< it is wrong, or breaks the rules
    kept,     ///< it could not be tried, which is not its fault
  };

  struct Listener {
    std::function<void(std::size_t index, std::size_t count)> at{};  ///< the record that comes next
    /// `before`: what is stored; `record` is what stands for it from now on. `message`: why it is not right.
    std::function<void(Outcome, const ProblemRecord& before, const ProblemRecord& record, const std::string& message)>
        outcome{};
  };

  /// Everything that is passed must outlive it. `evaluator` tries, `bench` times. `stop` is set from outside.
  RecordVerifier(const Engine& engine, const Operation& operation, Evaluator& evaluator, DeviceEvaluator& bench,
                 const std::atomic<bool>& stop, Listener listener);

  /// Verifies records of an operation, as read from the device's file, and changes the file: what is right gets new
  /// times, what is dropped goes. Stopped before its end it changes nothing. Whether all were right and it ended.
  bool run(std::vector<ProblemRecord> records);

 private:
  bool verify_problem(std::span<const ProblemRecord> records);
  void time_anew(const Choice* untuned, std::span<const ProblemRecord> group, unsigned rounds);

  const Engine& engine_;
  const Operation& operation_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  const std::atomic<bool>& stop_;
  Listener listener_;
  std::vector<ProblemRecord> before_, after_;  // what is stored, and what stands for it from now on
};

}  // namespace tilewright::tuning
