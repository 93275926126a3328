#pragma once

#include <atomic>
#include <chrono>
#include <limits>

#include "tuning/measure/evaluation.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::tuning {

/// When a run must end, in seconds from TuneOptions::start: the budget says so, or somebody stops it from outside.
/// Safe to use from several threads.
class RunClock {
 public:
  /// `options` must outlive it.
  explicit RunClock(const TuneOptions& options) : options_(options) {}

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - options_.start).count();
  }

  /// Whether the run was stopped, from outside or by fail().
  bool stopped();
  void fail() { failed_ = true; }

  /// When all must be over; soon where the run was stopped, after time for the final of what was being tuned.
  double end();
  double left() { return end() - elapsed(); }

  Deadline deadline(double at) const;

 private:
  const TuneOptions& options_;
  std::atomic<double> stopped_at_ = std::numeric_limits<double>::infinity();
  std::atomic<bool> failed_ = false;
};

}  // namespace tilewright::tuning
