// The factor of the error bounds of substitution and of Cholesky's factorisation.
#pragma once

#include <cstdint>
#include <numbers>

#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// Returns sqrt(2) gamma(2 k + `complex_roundings`) for complex T, otherwise gamma(k + `roundings`). A complex product
/// and its addition take four roundings, two for each part, whose terms are at most sqrt(2) times the product's size
/// (Higham, section 3.6).
template <class T, class Real = Wide<detail::Part<T>>>
Real substitution_factor(std::uint64_t k, std::uint64_t roundings, std::uint64_t complex_roundings) {
  using Part = detail::Part<T>;
  return detail::is_complex_host_type<T>
             ? static_cast<Real>(std::numbers::sqrt2_v<double>) * gamma_factor<Part>(2 * k + complex_roundings)
             : gamma_factor<Part>(k + roundings);
}

}  // namespace tilewright::verification
