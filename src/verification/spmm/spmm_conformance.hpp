#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// spmm's entry in the list of what can be checked. Its cases are those of spmm_cases().
CheckedOperation checked_spmm();

}  // namespace tilewright::verification
