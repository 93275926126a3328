// The time limits of a tuning run.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

#include "tuning/measure/evaluation.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tuning {

/// The end of a run, in seconds from TuneOptions::start. The budget determines it, or a stop from outside. Thread-safe.
class RunClock {
 public:
  /// `options` must outlive the clock.
  explicit RunClock(const TuneOptions& options) : options_(options) {}

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - options_.start).count();
  }

  /// Whether the run was stopped, from outside or by fail().
  bool stopped();
  void fail() { failed_ = true; }

  /// Returns when the run must end. After a stop that is soon, but with time for the final of the current problem.
  double end();
  double left() { return end() - elapsed(); }

  Deadline deadline(double at) const;

 private:
  const TuneOptions& options_;
  std::atomic<double> stopped_at_ = std::numeric_limits<double>::infinity();
  std::atomic<bool> failed_ = false;
};

}  // namespace tilewright::tuning
