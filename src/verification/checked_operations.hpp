#pragma once

#include <span>
#include <string_view>

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the operations whose variants can be checked.
std::span<const CheckedOperation> checked_operations();

/// Returns an operation. Throws std::invalid_argument if the name is unknown.
const CheckedOperation& find_checked_operation(std::string_view name);

}  // namespace tilewright::verification
