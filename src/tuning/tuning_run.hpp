// The state that the steps of a tuning run share.
// Each problem is searched, then its best are timed in a final. At the end every winner is timed on every problem.
#pragma once

#include <mutex>
#include <optional>

#include "tuning/run_clock.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tuning {

/// The mean duration of an activity; a guess until one was measured.
class MeanSeconds {
 public:
  explicit MeanSeconds(double guess) : guess_(guess) {}
  void add(double seconds) {
    sum_ += seconds;
    ++count_;
  }
  double value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : guess_; }

 private:
  double guess_;
  double sum_ = 0;
  std::size_t count_ = 0;
};

/// Returns the duration of one round of timings.
inline double round_seconds(double call_seconds) { return std::max(call_seconds, DeviceEvaluator::batch_seconds); }

class TuningRun {
 public:
  /// All arguments must outlive the run.
  TuningRun(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal,
            const TuneOptions& options, const Tuner::Listener& listener, const std::vector<Problem>& problems);

  /// Searches one problem and runs its final. Thread-safe.
  void tune(std::size_t index);

  /// Times every winner on every problem. The selector needs these times to know where each winner is good.
  void compare_all();

  bool stopped() { return clock_.stopped(); }
  std::mutex& mutex() { return mutex_; }
  std::vector<Tuned>& results() { return results_; }
  const std::string& failure() const { return failure_; }

 private:
  struct Share {
    double search_end;
    double end;
  };

  void tune(Tuned& tuned);
  Share next_share();
  void search(Tuned& tuned, const Share& share);
  bool is_wanted(const std::string& variant) const;
  std::vector<Choice> reference_choices(const Problem& problem) const;
  void final_round(Tuned& tuned, const Share& share);
  void compare(Tuned& tuned, double share_end);
  double compare_seconds() const;

  // Both return nothing if time ran out.
  std::optional<Evaluation> evaluate(Tuned& tuned, const Trial& trial, double best, double until);
  std::optional<Evaluation> verify(const Trial& trial, double until);
  double expected_verify_seconds();
  void note_done(const Tuned& tuned);
  void note(Tuned& tuned, const Trial& trial, const Evaluation& evaluation);
  void report(const Tuned& tuned, const char* activity, double best);
  void fail(const SystemError& problem);

  const Engine& engine_;
  Evaluator& evaluator_;
  DeviceEvaluator& bench_;
  Journal& journal_;
  const TuneOptions& options_;
  const Tuner::Listener& listener_;
  RunClock clock_;
  std::vector<Tuned> results_;

  // Shared by threads; protected by the mutex.
  std::mutex mutex_;
  std::map<Status, std::size_t> counts_;
  std::size_t all_evaluations_ = 0;
  std::size_t finished_ = 0;
  double final_seconds_ = 0;  // of the finished problems
  MeanSeconds trial_seconds_{0.25};
  MeanSeconds verify_seconds_{0.75};
  std::vector<Choice> winners_;
  std::string failure_;
};

}  // namespace tilewright::tuning
