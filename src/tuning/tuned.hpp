// What tuning found for a problem.
#pragma once

#include <string>
#include <vector>

#include "tuning/journal.hpp"
#include "tuning/tunable/operation.hpp"

namespace tilewright::tuning {

struct Timed {
  Choice choice{};
  double seconds = 0;    ///< median
  double variation = 0;  ///< standard deviation / mean
  unsigned timings = 0;
  double untuned_seconds = 0;  ///< median of what the library runs untuned, timed in turns with it
};

/// The median and the variation of some timings.
Timed timed(const Choice& choice, const std::vector<double>& seconds);

/// What came of one problem.
struct Tuned {
  Problem problem;
  std::vector<Journal::Entry> evaluations{};  ///< in their order
  Timed untuned{};
  Timed best{};
  /// Of each variant that the run was told to tune alone, the best, unless that is `best`.
  std::vector<Timed> of_variants{};
  std::vector<Timed> others{};    ///< verified ones that were timed on it too
  std::string problem_message{};  ///< why there is no result; empty where there is one
  std::string untuned_message{};  ///< what was wrong with what the library runs untuned
  bool complete = false;          ///< the budget was used up, or there was nothing left to try
  // What the budget's time did not suffice for:
  bool out_of_time = false;    ///< there is no result
  std::size_t unverified = 0;  ///< finalists
  std::size_t uncompared = 0;  ///< winners of other problems that were not timed on it

  double speedup() const { return untuned.seconds / best.seconds; }
};

/// Records of what came of a problem: the best first, then what the library would have run, the bests of the variants
/// that were asked for, and what else was timed,
/// less often than these.
std::vector<ProblemRecord> records_of(const Tuned& tuned, const DeviceProfile& device);

}  // namespace tilewright::tuning
