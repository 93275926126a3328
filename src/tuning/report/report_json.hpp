// The values and texts of a report, computed once for the page's script and its markup.
#pragma once

#include "selection/json.hpp"
#include "tuning/report/report.hpp"

namespace tilewright::tuning {

/// Returns each value with its text, {"value": 1.5, "text": "1.50×"}, so that a quantity reads the same everywhere.
nlohmann::ordered_json report_json(const TuneReport& report);

/// Returns text that is safe inside a script element: ASCII, without the characters that end or escape one.
std::string embeddable(const nlohmann::ordered_json& json);

}  // namespace tilewright::tuning
