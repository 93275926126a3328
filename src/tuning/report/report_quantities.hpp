// Quantities of a report with their texts.
#pragma once

#include <vector>

#include "selection/json.hpp"

namespace tilewright::tuning {

using Json = nlohmann::ordered_json;

Json quantity(double value);          ///< "123"
Json gain_of(double ratio);           ///< "1.50×"
Json percentage(double share);        ///< "1.2 %"
Json whole_percentage(double share);  ///< "12 %"
Json time_of(double seconds);         ///< "12.3 µs"

/// Returns the geometric mean of positive values; 1 if there are none.
double geometric_mean(const std::vector<double>& values);

}  // namespace tilewright::tuning
