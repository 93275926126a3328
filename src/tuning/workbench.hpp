// A problem's matrices on the device, for timing and checking many plans.
#pragma once

#include <string>
#include <vector>

#include "runtime/opencl.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tuning {

/// How batches of calls are timed.
enum class Clock {
  events,  ///< the device's own timestamps
  wall,    ///< the host's clock, where events do not tell the same
};

/// C = A B on random matrices for the timing, and on small integers for the check, whose sums are exact; all products
/// of a batch with strides.
class Workbench {
 public:
  /// Throws cl::Error or std::bad_alloc where there is too little memory.
  Workbench(const Engine& engine, const GemmProblem& problem);

  const GemmProblem& problem() const { return problem_; }

  /// One call on the integers, compared with A (B x) for a random vector x, to the bit (Freivalds, 1977): an element
  /// that is wrong goes unseen with a chance of about 1/1000. Empty where the result is right.
  std::string check(const GemmPlan& plan);

  /// Seconds of one call: a batch of calls back to back, at least `least_seconds` long, divided by their number.
  /// `calls` holds how many a batch takes and is found out where it is 0.
  double time(const GemmPlan& plan, unsigned& calls, double least_seconds);

  /// Finds out with a plan whether the device's timestamps agree with the host's clock.
  Clock choose_clock(const GemmPlan& plan);
  void set_clock(Clock clock) { clock_ = clock; }

 private:
  struct Seconds {
    double events;
    double wall;
  };

  std::uint64_t c_extent() const;
  Seconds run(const GemmPlan& plan, unsigned calls);
  template <class T>
  void prepare();
  template <class T>
  std::string compare();

  GemmProblem problem_;
  cl::Context context_;
  cl::CommandQueue queue_;
  Clock clock_ = Clock::wall;
  cl::Buffer a_, b_, c_;
  cl::Buffer whole_a_, whole_b_;  // integers
  std::vector<double> x_;
  std::vector<double> expected_;  // A (B x), of one product after the other
};

}  // namespace tilewright::tuning
