#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// Returns the entry of the vector operations in checked_operations(); each operation is a variant. Its cases are those
/// of vector_cases().
CheckedOperation checked_vector();

}  // namespace tilewright::verification
