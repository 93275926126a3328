// What the report says of each configuration: one time on each shape, wherever it is shown.
#pragma once

#include <vector>

#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// A configuration tried on a shape.
struct ReportTrial {
  const Choice* choice = nullptr;
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

}  // namespace tilewright::tuning
