// Expected results of vector calls in long double, with their error bounds.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

#include "kernels/element_type.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {

using LongNumber = std::complex<long double>;

struct ExpectedNumber {
  LongNumber value{};
  long double bound = 0;  ///< of each part
};

/// Returns the sum of all products of the parts' magnitudes, to which errors of x y are proportional.
inline long double product_size(LongNumber x, LongNumber y) {
  return (std::abs(x.real()) + std::abs(x.imag())) * (std::abs(y.real()) + std::abs(y.imag()));
}

/// Multiplies by the plain formula. Unlike std::complex, does not treat infinite or NaN parts specially.
inline LongNumber plain_product(LongNumber x, LongNumber y) {
  if (x.imag() == 0 && y.imag() == 0) return x.real() * y.real();
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// Returns |re| + |im|.
inline long double size_of_number(LongNumber x) { return std::abs(x.real()) + std::abs(x.imag()); }

/// The roundoffs of a type's storage and arithmetic.
struct VectorRounding {
  explicit VectorRounding(DataType type)
      : stored(detail::element_type(type).roundoff),
        computed(detail::element_type(accumulator_of(type)).roundoff),
        smallest(computed == 0x1p-53 ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min()),
        smallest_stored(type == DataType::f16 ? 0x1p-24L : smallest),
        fewer_bits(accumulator_of(type) != type),
        complex(is_complex(type)) {}

  long double gamma(std::uint64_t n) const {
    const long double nu = static_cast<long double>(n) * computed;
    return nu / (1 - nu);
  }

  /// Returns the expectation of an element that a few operations compute from terms with this total magnitude, and that
  /// is then stored.
  ExpectedNumber element(LongNumber value, long double size) const {
    const long double computing = gamma(complex ? 6 : 3) * size + 6 * smallest;
    const long double storing = fewer_bits ? stored * (size_of_number(value) + computing) + smallest_stored : 0;
    return {value, computing + storing};
  }

  long double stored, computed, smallest, smallest_stored;
  bool fewer_bits, complex;
};

/// Accumulates the terms of a reduction.
class VectorSums {
 public:
  VectorSums(VectorCall call, DataType type) : call_(call), rounding_(type) {}

  void add(LongNumber x, LongNumber y) {
    ++n_;
    switch (call_) {
      case VectorCall::dotc:
        x = std::conj(x);
        [[fallthrough]];
      case VectorCall::dot:
      case VectorCall::compensated_dot:
        sum_ += plain_product(x, y);
        size_ += product_size(x, y);
        break;
      case VectorCall::nrm2:
        sum_ += x.real() * x.real() + x.imag() * x.imag();
        break;
      default:
        sum_ += size_of_number(x);
    }
  }

  ExpectedNumber result() const {
    const std::uint64_t terms = rounding_.complex ? 2 * n_ : n_;
    const long double least = static_cast<long double>(terms + 4) * rounding_.smallest;
    const long double factor = rounding_.gamma(terms + 1);
    switch (call_) {
      case VectorCall::compensated_dot:
        return {sum_, 2 * rounding_.computed * size_of_number(sum_) + factor * factor * size_ + least};
      case VectorCall::nrm2:
        return {std::sqrt(sum_.real()), rounding_.gamma(n_ + 4) * std::sqrt(sum_.real())};
      case VectorCall::asum:
        return {sum_, factor * sum_.real()};
      default:
        return {sum_, factor * size_ + least};
    }
  }

 private:
  VectorCall call_;
  VectorRounding rounding_;
  std::uint64_t n_ = 0;
  LongNumber sum_{};
  long double size_ = 0;
};

}  // namespace tilewright::verification
