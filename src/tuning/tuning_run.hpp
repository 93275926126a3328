// What the steps of a tuning run share: each problem is searched, then its best are timed in a final, and in the end
// every winner is timed on every problem.
#pragma once

#include <mutex>
#include <optional>

#include "tuning/run_clock.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tuning {

/// What something takes, as far as it was seen.
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

/// Of one round of timings.
inline double round_seconds(double call_seconds) { return std::max(call_seconds, DeviceEvaluator::batch_seconds); }

class TuningRun {
 public:
  /// Everything that is passed must outlive it.
  TuningRun(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal,
            const TuneOptions& options, const Tuner::Listener& listener, const std::vector<Problem>& problems);

  /// Search and final of one problem. Safe to call from several threads.
  void tune(std::size_t index);

  /// Every winner on every problem: what the selector needs to tell which of them is good where.
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
  std::vector<Choice> choices_beside_search(const Problem& problem) const;
  void final_round(Tuned& tuned, double share_end);
  void compare(Tuned& tuned, double share_end);
  double compare_seconds() const;

  // Both: none where the time was up.
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

  // What threads share, with the mutex held.
  std::mutex mutex_;
  std::map<Status, std::size_t> counts_;
  std::size_t all_evaluations_ = 0;
  std::size_t finished_ = 0;
  double final_seconds_ = 0;  // of those that are finished
  MeanSeconds trial_seconds_{0.25};
  MeanSeconds verify_seconds_{0.75};
  std::vector<Choice> winners_;
  std::string failure_;
};

}  // namespace tilewright::tuning
