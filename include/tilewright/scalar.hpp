// Scalars of operations: alpha and beta, real or complex.
#pragma once

#include <complex>

namespace tilewright {

/// A real or complex number by which an operation scales its operands.
///
/// Converts from any real or complex number, so that `.alpha = 2` and `.alpha = {0, 1}` both work. An operation rounds
/// it to accumulator_of(type), the type of its sums. An operation on real elements throws Error(invalid_scalar) for an
/// imaginary part other than 0, and one on integers for anything but a 32-bit integer.
class Scalar {
 public:
  constexpr Scalar(double real = 0, double imag = 0) noexcept : real_(real), imag_(imag) {}
  constexpr Scalar(const std::complex<double>& value) noexcept : real_(value.real()), imag_(value.imag()) {}
  constexpr Scalar(const std::complex<float>& value) noexcept : real_(value.real()), imag_(value.imag()) {}

  constexpr double real() const noexcept { return real_; }
  constexpr double imag() const noexcept { return imag_; }
  constexpr std::complex<double> value() const noexcept { return {real_, imag_}; }

  friend constexpr bool operator==(const Scalar&, const Scalar&) = default;

 private:
  double real_;
  double imag_;
};

}  // namespace tilewright
