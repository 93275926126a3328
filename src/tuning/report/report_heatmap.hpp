// The heat map of a report: configurations on shapes.
#pragma once

#include <vector>

#include "tuning/report/report_shape.hpp"

namespace tilewright::tuning {

/// Returns the speeds of all winning and untuned choices on every shape of one type. `shapes` has the indices of these
/// shapes in the report.
Json heatmap_json(const TuneReport& report, const std::vector<std::vector<ReportTrial>>& trials,
                  const std::vector<std::size_t>& shapes, ReportChoices& choices);

}  // namespace tilewright::tuning
