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

/// What the driver's compiler was asked for.
struct Compilation {
  std::uint64_t programs = 0;
  double seconds = 0;
};

/// What an engine compiled since its statistics were these.
Compilation compiled_since(const ProgramStatistics& before, const Engine& engine);

/// A contender, and what was found out about it.
struct Entrant {
  std::string name;
  std::unique_ptr<Contender> contender;
  double first_call_seconds = 0;
  Compilation compilation;  ///< of the first call
  verification::Comparison comparison;
  std::vector<double> seconds;  ///< of one call in the steady state, one value a run

  double median_seconds() const;
  bool verified() const { return comparison.passed(); }
};

/// Makes a contender and lets it compute the product once, which is what a user waits for at first: compiling included.
/// The result is verified.
Entrant make_entrant(const std::string& name, Workload& workload,
                     const std::function<std::unique_ptr<Contender>()>& make);

struct MeasureLimits {
  unsigned runs = 7;
  double budget_seconds = 10;  ///< for each entrant; every one gets one run at least
};

/// Something that is timed beside others.
struct Timed {
  std::string name;
  std::function<void(unsigned calls)> run;  ///< calls back to back; returns when the last is done
  std::function<void()> settle;             ///< waits until nothing is in the way of the next one; may be empty
  std::vector<double> seconds{};            ///< of one call in the steady state, one value a run
};

/// Times all in turn, as measure() does.
void measure_in_turns(std::span<Timed> timed, const MeasureLimits& limits);

/// Times all entrants in turn, `runs` times, so that a change of the machine's speed meets all alike. A run is a batch
/// of calls back to back between two readings of the host's clock, long enough for the clock and for launches to
/// overlap.
void measure(std::span<Entrant* const> entrants, const MeasureLimits& limits);

}  // namespace tilewright::tool
