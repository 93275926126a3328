#pragma once

#include <span>
#include <string_view>

#include "operation_list.hpp"
#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

// The entries, each defined in the folder of its operation.
#define TILEWRIGHT_DECLARE(operation) CheckedOperation checked_##operation();
TILEWRIGHT_CHECKED_OPERATIONS(TILEWRIGHT_DECLARE)
#undef TILEWRIGHT_DECLARE

/// Returns the operations whose variants can be checked.
std::span<const CheckedOperation> checked_operations();

/// Returns an operation. Throws std::invalid_argument if the name is unknown.
const CheckedOperation& find_checked_operation(std::string_view name);

}  // namespace tilewright::verification
