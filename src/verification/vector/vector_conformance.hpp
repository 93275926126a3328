#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// The operations on vectors in the list of what can be checked; each stands where others have a variant. The cases are
/// those of vector_cases().
CheckedOperation checked_vector();

}  // namespace tilewright::verification
