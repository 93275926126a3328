// A problem's operands on the device, for timing and checking many plans.
#pragma once

#include <memory>
#include <string>

#include "runtime/device/opencl.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// How batches of calls are timed.
enum class Clock {
  events,  ///< the device's own timestamps
  wall,    ///< the host's clock, where events do not tell the same
};

class Workbench {
 public:
  /// Throws cl::Error or std::bad_alloc where there is too little memory.
  Workbench(const Engine& engine, const Problem& problem);

  const Problem& problem() const { return problem_; }

  /// One call whose result is known. Says what is wrong with it; empty where nothing is.
  std::string check(const TunablePlan& plan) { return data_->check(plan); }

  /// Seconds of one call: a batch of calls back to back, at least `min_seconds` long, divided by their number.
  /// `calls` holds how many a batch takes and is found out where it is 0.
  double time(const TunablePlan& plan, unsigned& calls, double min_seconds);

  /// Finds out with a plan whether the device's timestamps agree with the host's clock.
  Clock choose_clock(const TunablePlan& plan);
  void set_clock(Clock clock) { clock_ = clock; }

 private:
  struct Seconds {
    double events;
    double wall;
  };

  Seconds run(const TunablePlan& plan, unsigned calls);

  Problem problem_;
  cl::CommandQueue queue_;
  std::unique_ptr<TunableData> data_;
  Clock clock_ = Clock::wall;
};

}  // namespace tilewright::tuning
