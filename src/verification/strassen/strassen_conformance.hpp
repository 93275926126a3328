#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the entry of Strassen's method in checked_operations(); its only variant is "strassen".
CheckedOperation checked_strassen();

}  // namespace tilewright::verification
