#pragma once

#include <cstdint>
#include <limits>

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

/// The type in which references for results that are stored as T are computed: wider than that of their sums.
template <class T>
using Wide = typename WideType<detail::Accumulator<T>>::type;

/// Higham's gamma_n = n u / (1 - n u), the relative error that n roundings in T can add up to.
/// It means nothing once n u comes near 1; n u is then taken, which holds for sums of products of any length
/// (Jeannerod and Rump, 2013). 0 for integers.
template <class T, class Real = typename WideType<T>::type>
Real gamma_factor(std::uint64_t n) {
  const Real nu = static_cast<Real>(n) * static_cast<Real>(std::numeric_limits<T>::epsilon()) / 2;
  return nu < static_cast<Real>(0.5) ? nu / (1 - nu) : nu;
}

}  // namespace tilewright::verification
