// Timing of consecutive calls as one batch.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

namespace tilewright::tuning {

struct TimedCalls {
  unsigned calls = 1;
  double seconds = 0;  ///< of all calls
};

/// Times a batch that takes at least `min_seconds` or has `max_calls`; `run(calls)` makes some calls and returns their
/// seconds. A single call may be slow by chance, so the number of calls grows in steps.
inline TimedCalls time_calls(const std::function<double(unsigned)>& run, double min_seconds, double max_calls) {
  TimedCalls batch;
  for (;;) {
    batch.seconds = run(batch.calls);
    if (batch.seconds >= min_seconds || batch.calls >= max_calls) return batch;
    const double wanted = std::ceil(batch.calls * min_seconds / std::max(batch.seconds, 1e-9));
    batch.calls = static_cast<unsigned>(std::min({wanted, batch.calls * 8.0, max_calls}));
  }
}

}  // namespace tilewright::tuning
