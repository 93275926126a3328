#pragma once

#include <string>

#include "text/json_output.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"

namespace tilewright::tool {

/// Appends the choice, its reason and the candidates to the fields of the problem.
Json to_json(const Device& device, const Json& problem, const Explanation& explanation);

/// Prints the problem, the choice, its reason and the candidates. `kind` labels the problem, for example "product".
void print_explanation(const Device& device, const std::string& kind, const std::string& problem,
                       const Explanation& explanation);

}  // namespace tilewright::tool
