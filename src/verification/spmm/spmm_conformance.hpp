#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns spmm's entry in checked_operations(). Its cases are those of spmm_cases().
CheckedOperation checked_spmm();

}  // namespace tilewright::verification
