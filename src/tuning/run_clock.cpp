#include "tuning/run_clock.hpp"

#include <algorithm>
#include <cmath>

namespace tilewright::tuning {

bool RunClock::stopped() {
  if (failed_) return true;
  if (options_.stop == nullptr || !*options_.stop) return false;
  double never = std::numeric_limits<double>::infinity();
  stopped_at_.compare_exchange_strong(never, elapsed());
  return true;
}

double RunClock::end() {
  constexpr double seconds_after_stop = 10;
  stopped();
  return std::min(options_.budget.seconds, stopped_at_ + seconds_after_stop);
}

Deadline RunClock::deadline(double at) const {
  using SteadyClock = std::chrono::steady_clock;
  if (!std::isfinite(at)) return no_deadline;
  return options_.start + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(at));
}

}  // namespace tilewright::tuning
