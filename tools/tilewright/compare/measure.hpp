#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::tool {

struct MeasureLimits {
  unsigned runs = 7;
  double budget_seconds = 10;  ///< per function; each gets at least one run
};

/// A function that is timed alternately with others.
struct Timed {
  std::string name;
  std::function<void(unsigned calls)> run;  ///< makes calls back to back and waits for the last
  std::function<void()> settle;             ///< waits until leftovers of run() cannot slow the next one; may be empty
  std::vector<double> seconds{};            ///< per call in the steady state, one value per run
  /// Restores what a call overwrites. Runs before every call and is not timed, so that each call is timed alone. May be
  /// empty.
  std::function<void()> prepare{};
};

/// Times all functions in turns, `runs` times, so that changes of the machine's speed affect all of them equally. A run
/// is a batch of calls back to back between two readings of the host's clock. Batches are long compared with the
/// clock's resolution, and launches overlap within them.
void measure_in_turns(std::span<Timed> timed, const MeasureLimits& limits);

}  // namespace tilewright::tool
