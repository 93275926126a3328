// What a report shows, worked out and written once: the page's script and its markup take values and texts from here.
#pragma once

#include "selection/json.hpp"
#include "tuning/report/report.hpp"

namespace tilewright::tuning {

/// Values beside their texts, {"value": 1.5, "text": "1.50×"}, so that a quantity reads the same wherever it is shown.
nlohmann::ordered_json report_json(const TuneReport& report);

/// As text that may stand within a script element: ASCII, without the characters that end or escape one.
std::string embeddable(const nlohmann::ordered_json& json);

}  // namespace tilewright::tuning
