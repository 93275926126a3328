#pragma once

#include <string>

#include "text/json_output.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/device.hpp"

namespace tilewright::tool {

/// Prints the problem, the choice, its reason and the candidates, as text or JSON. `kind` labels the problem, for
/// example "product". The JSON begins with `fields`.
void show_explanation(const Device& device, const std::string& kind, const std::string& problem, const Json& fields,
                      const Explanation& explanation, bool json);

}  // namespace tilewright::tool
