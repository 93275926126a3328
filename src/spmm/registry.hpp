#pragma once

#include <span>

#include "spmm/variant.hpp"

namespace tilewright::detail {

/// Every variant, from the simplest to the fastest.
std::span<const SpmmVariant* const> spmm_registry();

}  // namespace tilewright::detail
