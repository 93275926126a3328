#pragma once

#include <span>
#include <string_view>

#include "gemm/variant.hpp"

namespace tilewright::detail {

/// Every variant, from the simplest to the fastest.
std::span<const GemmVariant* const> gemm_registry();

/// Throws Error(unknown_variant), which lists the known names.
const GemmVariant& find_gemm_variant(std::string_view name);

}  // namespace tilewright::detail
