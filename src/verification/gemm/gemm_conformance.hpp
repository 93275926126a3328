#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns gemm's entry in checked_operations(). Its cases are those of conformance_cases(), and one per type that
/// compares the variant's constraints with its kernel's #errors.
CheckedOperation checked_gemm();

}  // namespace tilewright::verification
