#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the entry of gemv and ger in checked_operations(); these functions are its variants.
CheckedOperation checked_gemv();

}  // namespace tilewright::verification
