// A way to compute a problem: a variant, another library, or a loop on the host.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tilewright/event.hpp"

namespace tilewright::tool {

/// The outcome of a check.
struct Verdict {
  double error_over_bound = 0;  ///< the largest error; at most 1 if the result is right; 0 if errors are not measured
  std::string wrong{};          ///< describes the wrong result; empty if it is right
};

struct Contender {
  std::function<void(unsigned calls)> run{};  ///< makes calls back to back, at least one, and waits for the last
  std::function<Verdict()> check{};           ///< compares the last result with the reference; empty: not verified
  std::function<void()> settle{};             ///< waits until leftovers of run() cannot slow the next one; may be empty
  /// Restores what a call overwrites. Runs before every call and is not timed, so that each call is timed alone. May be
  /// empty.
  std::function<void()> prepare{};
  std::string variant{};
  std::string configuration{};
  std::string reason{};  ///< why this variant was chosen
};

/// Enqueues calls back to back and waits for the last. `enqueue` takes whether its event is needed.
template <class Enqueue>
void enqueue_all(unsigned calls, const Enqueue& enqueue) {
  for (unsigned left = calls; left > 0; --left) {
    const bool is_last = left == 1;
    const Event event = enqueue(is_last);
    if (is_last) event.wait();
  }
}

/// Returns a Contender::run that repeats one call.
inline std::function<void(unsigned)> repeat(std::function<void()> call) {
  return [call = std::move(call)](unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) call();
  };
}

}  // namespace tilewright::tool
