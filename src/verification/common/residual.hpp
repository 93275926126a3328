// Sums for the residuals of equations, and the text of those that exceed their bounds.
#pragma once

#include <cmath>
#include <string>

#include "runtime/system/plain_text.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// The dot product of two vectors, and the sum of its terms' magnitudes.
template <class T>
struct DotProduct {
  using Number = WideNumber<T>;
  Number value = 0;
  Wide<detail::Part<T>> size = 0;

  void add(Number x, Number y) {
    value += x * y;
    size += std::abs(x * y);
  }
};

/// Returns "1e-3, 250 times its bound" if a residual exceeds its bound or is NaN; otherwise an empty text.
template <class Real>
std::string excess(Real residual, Real bound) {
  if (std::abs(residual) <= bound) return {};
  const std::string text = detail::general_text(static_cast<double>(residual), 3);
  if (bound == 0) return text + ", but must be 0";
  return text + ", " + detail::general_text(static_cast<double>(std::abs(residual) / bound), 3) + " times its bound";
}

}  // namespace tilewright::verification
