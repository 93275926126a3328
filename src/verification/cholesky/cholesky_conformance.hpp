#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the entry of Cholesky's factorisation in checked_operations(); potrf, potrs and posv are its variants.
CheckedOperation checked_cholesky();

}  // namespace tilewright::verification
