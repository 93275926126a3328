#pragma once

#include "text/json_output.hpp"
#include "tilewright/device.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// Appends the number of levels, its reason and the candidates to the fields of the product.
Json strassen_json(const Device& device, const Json& problem, const StrassenExplanation& explanation);

/// Prints the product, the number of levels, its reason and the candidates.
void print_strassen(const Device& device, const std::string& problem, const StrassenExplanation& explanation);

}  // namespace tilewright::tool
