// A problem's operands on the device, for timing and checking many plans.
#pragma once

#include <memory>
#include <string>

#include "runtime/device/opencl.hpp"
#include "tuning/tunable/tunable.hpp"

namespace tilewright::tuning {

/// The clock that times batches of calls.
enum class Clock {
  events,  ///< the device's own timestamps
  wall,    ///< the host's clock, used if events disagree with it
};

class Workbench {
 public:
  /// Throws cl::Error or std::bad_alloc if there is too little memory.
  Workbench(const Engine& engine, const Problem& problem);

  const Problem& problem() const { return problem_; }

  /// Makes one call whose result is known. Returns what is wrong with it; empty if nothing is.
  std::string check(const TunablePlan& plan) { return data_->check(plan); }

  /// Returns seconds per call: the time of a batch of consecutive calls, at least `min_seconds` long, divided by their
  /// number. `calls` is the number of calls in a batch; if it is 0, it is determined and stored.
  double time(const TunablePlan& plan, unsigned& calls, double min_seconds);

  /// Finds out, with a plan, whether the device's timestamps agree with the host's clock.
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
