#pragma once

#include <span>

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// Every variant, from the simplest to the fastest, then those for matrices in place.
std::span<const TransposeVariant* const> transpose_registry();

}  // namespace tilewright::detail
