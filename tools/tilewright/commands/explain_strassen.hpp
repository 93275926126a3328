#pragma once

#include "text/json_output.hpp"
#include "tilewright/device.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// The levels that explain_strassen() chooses and the cost of others, after the fields of the product.
Json strassen_json(const Device& device, const Json& product, const StrassenProblem& problem, const Choice& choice);

/// Prints the explanation as text.
void print_strassen(const Device& device, const std::string& product, const StrassenProblem& problem,
                    const Choice& choice);

}  // namespace tilewright::tool
