// alpha and beta of every operation: their checks and their rounding.
#pragma once

#include <complex>

#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright::detail {

/// Throws Error(invalid_scalar) if elements of `type` cannot be scaled by `value`: real types take real numbers, and
/// integers take 32-bit integers. `name` is "alpha" or "beta".
void check_scalar(DataType type, const char* name, const Scalar& value);

/// Throws Error(invalid_scalar) if beta is not 0 and a product whose sums are stored as `type_c` requires 0.
void check_beta(DataType type, DataType type_c, const Scalar& beta);

/// Returns the scalar in the arithmetic of elements of `type`: its parts are rounded to float, or kept for f64, c128
/// and integers.
std::complex<double> rounded(DataType type, const Scalar& value);

/// Checks and rounds a scalar. Throws Error(invalid_scalar).
std::complex<double> checked_scalar(DataType type, const char* name, const Scalar& value);

/// Checks and rounds a scalar of an operation that scales by real numbers. Throws Error(invalid_scalar).
double real_scalar(DataType type, const char* name, const Scalar& value);

/// Whether a scalar is 0 in the arithmetic of elements of `type`.
bool rounds_to_zero(DataType type, const Scalar& value);

}  // namespace tilewright::detail
