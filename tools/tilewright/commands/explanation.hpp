#pragma once

#include <string>

#include "text/json_output.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"

namespace tilewright::tool {

/// What would run and why, after the fields that tell the problem.
Json to_json(const Device& device, const Json& problem, const Explanation& explanation);

/// The same as text; `kind` is what the problem is called: "product".
void print_explanation(const Device& device, const std::string& kind, const std::string& problem,
                       const Explanation& explanation);

}  // namespace tilewright::tool
