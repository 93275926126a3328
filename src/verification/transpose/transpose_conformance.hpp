#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns transpose's entry in checked_operations(). Its cases are those of transpose_cases().
CheckedOperation checked_transpose();

}  // namespace tilewright::verification
