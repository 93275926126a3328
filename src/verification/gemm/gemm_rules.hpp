// The rules of a variant of gemm against its kernel: what breaks one must be refused by an #error, what keeps all must
// not.
#pragma once

#include <string>
#include <string_view>

#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// "rules variant=naive type=f32"
std::string rules_case(const std::string& variant, DataType type);
bool is_rules_case(std::string_view text);

/// Compares the rules of the case's variant, over configurations from its whole space, with what the preprocessor makes
/// of its kernel; nothing is run. A variant that the device cannot run is compared as on a GPU that can. Where the
/// variant calls itself supported on the device, some configuration must keep the rules there. Returns what is wrong,
/// or an empty string.
std::string try_rules_case(const Engine& engine, const std::string& text);

}  // namespace tilewright::verification
