#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compare/contender.hpp"
#include "tilewright/engine.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::tool {

/// Work of the driver's compiler.
struct Compilation {
  std::uint64_t programs = 0;
  double seconds = 0;
};

/// Returns the compilations of an engine since the statistics `before`.
Compilation compiled_since(const ProgramStatistics& before, const Engine& engine);

/// A contender and its measurements.
struct Entrant {
  std::string name;
  std::unique_ptr<Contender> contender;
  double first_call_seconds = 0;
  Compilation compilation;  ///< during the first call
  verification::Comparison comparison;
  std::vector<double> seconds;  ///< per call in the steady state, one value per run

  double median_seconds() const;
  bool verified() const { return comparison.passed(); }
};

/// Creates a contender and computes the product once, including compilation, which is a user's first wait. Verifies the
/// result.
Entrant make_entrant(const std::string& name, Workload& workload,
                     const std::function<std::unique_ptr<Contender>()>& make);

struct MeasureLimits {
  unsigned runs = 7;
  double budget_seconds = 10;  ///< per entrant; each gets at least one run
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

/// Times all functions in turns, in the same way as measure().
void measure_in_turns(std::span<Timed> timed, const MeasureLimits& limits);

/// Times all entrants in turns, `runs` times, so that changes of the machine's speed affect all of them equally. A run
/// is a batch of calls back to back between two readings of the host's clock. Batches are long compared with the
/// clock's resolution, and launches overlap within them.
void measure(std::span<Entrant* const> entrants, const MeasureLimits& limits);

}  // namespace tilewright::tool
