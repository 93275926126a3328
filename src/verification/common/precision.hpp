#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/host_type.hpp"

namespace tilewright::verification {

template <class Accumulator>
struct WideType;
template <>
struct WideType<float> {
  using type = double;
};
template <>
struct WideType<double> {
  using type = long double;
};
template <>
struct WideType<std::int32_t> {
  using type = std::int64_t;
};

/// The type for references to results of type T; wider than the type of their sums.
template <class T>
using Wide = typename WideType<detail::Accumulator<T>>::type;

/// The type for references to a real or complex T: its parts are Wide.
template <class T>
using WideNumber =
    std::conditional_t<detail::is_complex_host_type<T>, std::complex<Wide<detail::Part<T>>>, Wide<detail::Part<T>>>;

/// Returns Higham's gamma_n = n u / (1 - n u), the relative error bound of n roundings in T. From n u >= 1/2 on,
/// returns n u, which bounds sums of products of any length (Jeannerod and Rump, 2013). 0 for integers.
template <class T, class Real = typename WideType<T>::type>
Real gamma_factor(std::uint64_t n) {
  const Real nu = static_cast<Real>(n) * static_cast<Real>(std::numeric_limits<T>::epsilon()) / 2;
  return nu < static_cast<Real>(0.5) ? nu / (1 - nu) : nu;
}

}  // namespace tilewright::verification
