#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// gemm's entry in the list of what can be checked. Its cases are those of conformance_cases(), and for each type one
/// that compares a variant's rules with its kernel's #errors.
CheckedOperation checked_gemm();

}  // namespace tilewright::verification
