#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the entry of LU factorisations in checked_operations(); getrf, getrs, gesv, getri and det are its variants.
CheckedOperation checked_lu();

}  // namespace tilewright::verification
