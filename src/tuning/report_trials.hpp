// What the report says of each configuration: one time on each shape, wherever it is shown.
#pragma once

#include <string>
#include <vector>

#include "tuning/tuner.hpp"

namespace tilewright::tuning {

/// A configuration tried on a shape.
struct ReportTrial {
  const Trial* trial = nullptr;
  const Evaluation* evaluation = nullptr;  ///< the last one
  double seconds = 0;                      ///< 0 where it has no time
  unsigned timings = 0;                    ///< 0 where the time is extrapolated from a smaller product

  bool timed() const { return seconds > 0; }
};

/// Whether the shape came to a result, which has been measured beside what would have run untuned.
inline bool has_result(const Tuned& tuned) { return tuned.best.seconds > 0 && tuned.untuned.seconds > 0; }

/// Each configuration once, in the order in which they were first tried. What the final timed has the final's time, not
/// the search's; what failed in the end has none.
std::vector<ReportTrial> report_trials(const Tuned& tuned);

/// "64 x 32 x 16 f32 NT", and "10 times" before it for a batch of 10.
std::string shape_name(const GemmProblem& problem);

/// 10^9 operations a second; a multiply-add counts for two. 0 where there is no time.
double gflops(const GemmProblem& problem, double seconds);

/// Operations per byte of A, B and C, each read or written once.
double intensity(const GemmProblem& problem);

}  // namespace tilewright::tuning
