#include "tuning/measure/workbench.hpp"

#include "runtime/system/stopwatch.hpp"
#include "tuning/measure/timed_calls.hpp"

namespace tilewright::tuning {

Workbench::Workbench(const Engine& engine, const Problem& problem)
    : problem_(problem),
      queue_(cl::Context(engine.context(), true), cl::Device(engine.device(), true), CL_QUEUE_PROFILING_ENABLE),
      data_(problem->data(engine, queue_())) {}

Workbench::Seconds Workbench::run(const TunablePlan& plan, unsigned calls) {
  queue_.finish();
  const detail::Stopwatch watch;
  cl::Event before;
  queue_.enqueueMarkerWithWaitList(nullptr, &before);
  Event last;
  // Only the last call makes an event: on NVIDIA's driver an event with times takes longer than a small product.
  for (unsigned call = 1; call <= calls; ++call) last = data_->enqueue(plan, call == calls);
  last.wait();
  const double wall = watch.seconds();
  const cl::Event after(last.get(), true);
  const auto begin = before.getProfilingInfo<CL_PROFILING_COMMAND_END>();
  const auto end = after.getProfilingInfo<CL_PROFILING_COMMAND_END>();
  return {end > begin ? static_cast<double>(end - begin) * 1e-9 : 0, wall};
}

double Workbench::time(const TunablePlan& plan, unsigned& calls, double min_seconds) {
  constexpr double max_calls = 4096;
  const auto timed_run = [&](unsigned count) {
    const Seconds seconds = run(plan, count);
    return clock_ == Clock::events ? seconds.events : seconds.wall;
  };
  if (calls > 0) return timed_run(calls) / calls;
  const TimedCalls batch = time_calls(timed_run, min_seconds, max_calls);
  calls = batch.calls;
  return batch.seconds / batch.calls;
}

Clock Workbench::choose_clock(const TunablePlan& plan) {
  unsigned calls = 0;
  clock_ = Clock::wall;
  time(plan, calls, 0.02);
  const Seconds seconds = run(plan, calls);
  const double ratio = seconds.events / seconds.wall;
  return ratio > 0.8 && ratio < 1.02 ? Clock::events : Clock::wall;
}

}  // namespace tilewright::tuning
