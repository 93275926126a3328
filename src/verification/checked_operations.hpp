#pragma once

#include <span>
#include <string_view>

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// The operations whose variants can be checked, an entry each.
std::span<const CheckedOperation> checked_operations();

/// Throws std::invalid_argument for a name that is none's.
const CheckedOperation& find_checked_operation(std::string_view name);

}  // namespace tilewright::verification
