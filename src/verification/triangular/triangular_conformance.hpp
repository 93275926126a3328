#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the entry of triangular systems in checked_operations(); trsm and trsv are its variants.
CheckedOperation checked_triangular();

}  // namespace tilewright::verification
