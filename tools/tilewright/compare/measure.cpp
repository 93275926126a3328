#include "compare/measure.hpp"

#include <fmt/format.h>

#include "runtime/system/stopwatch.hpp"
#include "text/progress.hpp"
#include "tuning/measure/timed_calls.hpp"

namespace tilewright::tool {
namespace {

constexpr double batch_seconds = 0.02;
constexpr double max_calls = 1000;

double timed_run(const Timed& timed, unsigned calls) {
  if (!timed.prepare) {
    const detail::Stopwatch watch;
    timed.run(calls);
    return watch.seconds();
  }
  double seconds = 0;
  for (unsigned call = 0; call < calls; ++call) {
    timed.prepare();
    const detail::Stopwatch watch;
    timed.run(1);
    seconds += watch.seconds();
  }
  return seconds;
}

}  // namespace

void measure_in_turns(std::span<Timed> timed, const MeasureLimits& limits) {
  struct Pace {
    unsigned calls = 0;
    double spent = 0;
  };
  std::vector<Pace> paces(timed.size());
  for (unsigned run = 0; run < limits.runs; ++run) {
    for (std::size_t i = 0; i < timed.size(); ++i) {
      Timed& one = timed[i];
      Pace& pace = paces[i];
      if (run > 0 && pace.spent + pace.calls * one.seconds.back() > limits.budget_seconds) continue;
      show_progress(fmt::format("timing {}, run {} of {}", one.name, run + 1, limits.runs));
      tuning::TimedCalls batch{pace.calls, 0};
      if (run == 0) {
        batch = tuning::time_calls([&](unsigned calls) { return timed_run(one, calls); }, batch_seconds, max_calls);
      } else {
        if (batch.calls > 1) timed_run(one, 1);  // warms the caches
        batch.seconds = timed_run(one, batch.calls);
      }
      if (one.settle) one.settle();
      pace.calls = batch.calls;
      pace.spent += batch.seconds;
      one.seconds.push_back(batch.seconds / batch.calls);
    }
  }
}

}  // namespace tilewright::tool
