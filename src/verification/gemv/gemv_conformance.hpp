#pragma once

#include "verification/check/checked_operation.hpp"

namespace tilewright::verification {

/// gemv and ger in the list of what can be checked; each stands where others have a variant.
CheckedOperation checked_gemv();

}  // namespace tilewright::verification
