// The check of a choice for the products of an algorithm.
#pragma once

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Checks the choice of a plan that turns out to have no products, so that the plan refuses the same choices as others.
/// Throws Error(unknown_variant, unknown_parameter, unsupported_variant, invalid_configuration). Defined by gemm, whose
/// variants it reads.
void check_choice(const Engine& engine, DataType type, const Choice& choice);

}  // namespace tilewright::detail
