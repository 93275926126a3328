// The time of each configuration on each shape, as the report shows it everywhere.
#pragma once

#include <vector>

#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// A configuration tried on a shape.
struct ReportTrial {
  const Choice* choice = nullptr;
  const Evaluation* evaluation = nullptr;  ///< the last one
  double seconds = 0;                      ///< 0 if it has no time
  unsigned timings = 0;                    ///< 0 if the time is extrapolated from a smaller product

  bool timed() const { return seconds > 0; }
};

/// Whether the shape has a result, measured together with the untuned choice.
inline bool has_result(const Tuned& tuned) { return tuned.best.seconds > 0 && tuned.untuned.seconds > 0; }

/// Returns each configuration once, in the order of the first trials. A configuration of the final has the final's
/// time, not the search's. A configuration that failed in the end has none.
std::vector<ReportTrial> report_trials(const Tuned& tuned);

}  // namespace tilewright::tuning
