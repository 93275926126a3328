// The checks of a product's alpha and beta.
#pragma once

#include <complex>

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Throws Error(invalid_scalar) if `value` is not a scalar of products of `type`: real types take real numbers, and
/// integers take whole numbers of 32 bits. `name` is "alpha" or "beta".
void check_scalar(DataType type, const char* name, const std::complex<double>& value);

/// Throws Error(invalid_scalar) if a product whose sums are stored as `type_c` takes no such beta.
void check_beta(DataType type, DataType type_c, const std::complex<double>& beta);

}  // namespace tilewright::detail
