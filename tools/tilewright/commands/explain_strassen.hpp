#pragma once

#include "text/json_output.hpp"
#include "tilewright/device.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// How many levels a product would have and why, after the fields that tell the product.
Json strassen_json(const Device& device, const Json& problem, const StrassenExplanation& explanation);

/// The same as text.
void print_strassen(const Device& device, const std::string& problem, const StrassenExplanation& explanation);

}  // namespace tilewright::tool
