// Sums of products of real or complex elements in higher precision, with their error bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

#include "kernels/host_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// Real and imaginary part of an element of type T, in higher precision.
template <class T>
using WideComplex = std::complex<Wide<detail::Part<T>>>;

template <class T>
WideComplex<T> widened(const T& value) {
  using Real = Wide<detail::Part<T>>;
  if constexpr (detail::is_complex_host_type<T>)
    return {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
  else
    return {static_cast<Real>(value), 0};
}

/// Returns z as a number of higher precision after rounding its parts to the type of sums of T.
template <class T>
WideComplex<T> widened_scalar(const std::complex<double>& z) {
  using Sum = detail::Part<detail::Accumulator<T>>;
  using Real = Wide<detail::Part<T>>;
  return {static_cast<Real>(static_cast<Sum>(z.real())), static_cast<Real>(static_cast<Sum>(z.imag()))};
}

/// The expected value of one element, and the magnitude that its error bound is a multiple of.
template <class T>
class ElementSum {
 public:
  using Real = Wide<detail::Part<T>>;
  using Complex = WideComplex<T>;

  /// Adds x * y. Real types multiply real parts only, so that an infinity does not meet an imaginary zero.
  void add(const Complex& x, const Complex& y) {
    re_ += x.real() * y.real();
    if constexpr (detail::is_complex_host_type<T>) {
      re_ -= x.imag() * y.imag();
      im_ += x.real() * y.imag() + x.imag() * y.real();
    }
    size_ += size_of(x) * size_of(y);
  }

  Complex value() const { return {re_, im_}; }
  Real size() const { return size_; }

  /// Returns alpha times this sum.
  ElementSum scaled(const Complex& alpha) const {
    ElementSum result;
    result.add(alpha, value());
    result.size_ = size_of(alpha) * size_;
    return result;
  }

  /// Adds another sum.
  void add(const ElementSum& other) {
    re_ += other.re_;
    im_ += other.im_;
    size_ += other.size_;
  }

  /// Describes an element that differs from the sum by more than `terms` roundings of sums of that many terms, plus
  /// `absolute`, or that is not NaN or infinite like the sum. Empty if the element is right.
  std::string wrong(const T& found, std::uint64_t terms, Real absolute) const {
    const Complex got = widened(found);
    if (error_over_bound(got, terms, absolute) <= 1) return {};
    const auto text = [](Real part) { return detail::general_text(static_cast<double>(part), 17); };
    const auto both = [&](const Complex& z) {
      return detail::is_complex_host_type<T> ? text(z.real()) + "," + text(z.imag()) : text(z.real());
    };
    return both(got) + ", expected " + both(value()) + " within " + text(bound(terms, absolute));
  }

  /// Returns the error of an element as a fraction of the same bound. Infinite if it is not NaN or infinite like the
  /// sum.
  double error_over_bound(const Complex& found, std::uint64_t terms, Real absolute) const {
    const Real limit = bound(terms, absolute);
    const double of_real = ratio(found.real(), re_, limit);
    return detail::is_complex_host_type<T> ? std::max(of_real, ratio(found.imag(), im_, limit)) : of_real;
  }

 private:
  static Real size_of(const Complex& z) { return std::abs(z.real()) + std::abs(z.imag()); }
  Real bound(std::uint64_t terms, Real absolute) const {
    using Sum = detail::Part<detail::Accumulator<T>>;
    Real bound = gamma_factor<Sum>(detail::is_complex_host_type<T> ? 2 * terms + 8 : terms) * size_ + absolute;
    if constexpr (detail::stored_in_fewer_bits<T>)
      bound += static_cast<Real>(detail::element_type(detail::HostType<T>::type).roundoff) * (size_ + bound) +
               static_cast<Real>(1e-7);
    return bound;
  }

  static double ratio(Real found, Real expected, Real bound) {
    constexpr double wrong = std::numeric_limits<double>::infinity();
    if (std::isnan(expected)) return std::isnan(found) ? 0 : wrong;
    if (found == expected) return 0;
    if (std::isinf(expected)) return wrong;
    const auto of_bound = static_cast<double>(std::abs(found - expected) / bound);
    return std::isnan(of_bound) ? wrong : of_bound;
  }

  Real re_{0}, im_{0}, size_{0};
};

}  // namespace tilewright::verification
