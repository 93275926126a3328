#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// transpose's entry in the list of what can be checked. Its cases are those of transpose_cases().
CheckedOperation checked_transpose();

}  // namespace tilewright::verification
