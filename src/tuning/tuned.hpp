// The result of tuning a problem.
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
  double untuned_seconds = 0;  ///< median of the untuned choice, timed in turns with this one
};

/// Returns the median and the variation of some timings.
Timed timed(const Choice& choice, const std::vector<double>& seconds);

/// The result of tuning one problem.
struct Tuned {
  Problem problem;
  std::vector<Journal::Entry> evaluations{};  ///< in the order of trial
  Timed untuned{};
  Timed best{};
  /// The best of each variant in TuneOptions::variants, unless it is `best`.
  std::vector<Timed> of_variants{};
  std::vector<Timed> others{};    ///< verified winners of other problems, timed on this one
  std::string problem_message{};  ///< why there is no result; empty if there is one
  std::string untuned_message{};  ///< why the untuned choice failed; empty if it did not
  bool complete = false;          ///< the budget was used up, or there was nothing left to try
  // The budget's time did not suffice for these:
  bool out_of_time = false;    ///< there is no result
  std::size_t unverified = 0;  ///< number of finalists that were not verified
  std::size_t uncompared = 0;  ///< number of winners of other problems that were not timed on this one

  double speedup() const { return untuned.seconds / best.seconds; }
};

/// Returns the records of a result: the best, the untuned choice, the bests of the requested variants, and other
/// choices with fewer timings than these.
std::vector<ProblemRecord> records_of(const Tuned& tuned, const DeviceProfile& device);

}  // namespace tilewright::tuning
