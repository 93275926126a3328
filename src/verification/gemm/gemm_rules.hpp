// Comparison of a gemm variant's constraints with its kernel. An #error must refuse each configuration that breaks a
// constraint, and no other.
#pragma once

#include <string>
#include <string_view>

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// Returns the case's text, "rules variant=naive type=f32".
std::string rules_case(const std::string& variant, DataType type);
bool is_rules_case(std::string_view text);

/// Compares the constraints of the case's variant, over configurations of its whole space, with the #errors of its
/// kernel. Runs only the preprocessor. If the device cannot run the variant, compares it as on a GPU that can. If the
/// variant claims support on the device, some configuration must satisfy the constraints there. Returns what is wrong,
/// or an empty string.
std::string try_rules_case(const Engine& engine, const std::string& text);

}  // namespace tilewright::verification
