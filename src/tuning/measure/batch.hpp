// Calls back to back, timed together.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

namespace tilewright::tuning {

struct Batch {
  unsigned calls = 1;
  double seconds = 0;  ///< of all of them
};

/// A batch of at least `least_seconds`, or of `most_calls`; `run(calls)` makes some calls and returns their seconds.
/// One call alone may be slow for once, so the number of calls is approached.
inline Batch find_batch(const std::function<double(unsigned)>& run, double least_seconds, double most_calls) {
  Batch batch;
  for (;;) {
    batch.seconds = run(batch.calls);
    if (batch.seconds >= least_seconds || batch.calls >= most_calls) return batch;
    const double wanted = std::ceil(batch.calls * least_seconds / std::max(batch.seconds, 1e-9));
    batch.calls = static_cast<unsigned>(std::min({wanted, batch.calls * 8.0, most_calls}));
  }
}

}  // namespace tilewright::tuning
