#pragma once

#include <vector>

#include "tuning/report/report_shape.hpp"

namespace tilewright::tuning {

/// The choices that won a shape, or would have run untuned, on every shape of their type. `shapes` are such shapes, by
/// their places in the report.
Json heatmap_json(const TuneReport& report, const std::vector<std::vector<ReportTrial>>& trials,
                  const std::vector<std::size_t>& shapes, ReportChoices& choices);

}  // namespace tilewright::tuning
