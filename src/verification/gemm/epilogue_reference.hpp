// Reference of the fused epilogue in higher precision, with its error bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include "gemm/epilogue.hpp"
#include "verification/common/error_bound.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

template <class Real>
Real activated(Activation activation, Real v) {
  if (std::isnan(v)) return v;
  const bool is_lowest = std::isinf(v) && v < 0;
  switch (activation) {
    case Activation::none:
      break;
    case Activation::relu:
      return v <= 0 ? Real{0} : v;
    case Activation::gelu:
      return is_lowest ? Real{0} : v * std::erfc(-v / std::numbers::sqrt2_v<Real>) / 2;
    case Activation::gelu_tanh: {
      const Real u = std::sqrt(2 * std::numbers::inv_pi_v<Real>) * (v + static_cast<Real>(0.044715L) * v * v * v);
      return is_lowest ? Real{0} : v / (1 + std::exp(-2 * u));  // 1 + tanh(u) = 2 / (1 + exp(-2 u))
    }
    case Activation::silu:
      return is_lowest ? Real{0} : v / (1 + std::exp(-v));
  }
  return v;
}

/// Applies the call's epilogue to element (row, column) of alpha A B + beta C, before it is stored, and updates its
/// bound.
///
/// Each sum or product of v + dv adds a rounding, u (|v| + |dv|), to dv; underflow adds the smallest normal number. An
/// activation f amplifies dv by at most its largest slope L: 1 for ReLU and less than 1.13, the slope of GELU, for the
/// others. The kernels compute f as v times a share s between 0 and 1, or GELU in float as max(v, 0) - |v| s. The error
/// of s, with OpenCL's accuracies, which NVIDIA's approximations keep:
///   gelu       in double: erfc(x) / 2 to 16 ulp, so 32 u s. x has the error 2 u |x|, which changes s by less than u.
///              In float: a fit with an error of 12 u of a share of at most 1/2, 10 roundings, and exp2 to 3 ulp of an
///              argument with the error 3 u |x|, which changes s by less than 2 u.
///   gelu_tanh  1 / (1 + exp2(-x)): 3 ulp of exp2, 2.5 ulp of the division and one sum: 13 u s. x, a sum of terms
///              with equal signs, has the error 7 u |x|, which changes s by less than 2 u, because |x| s'(x) < 0.23.
///   silu       the same formula, with the error 2 u |x| of x.
/// The product with v adds one rounding: in total less than 40 u |v|. s is below the smallest normal number from |v| =
/// 1024 at the latest, so underflow loses at most 1024 such numbers. Using twice the roundoff for u also covers the
/// reference's own rounding, which has at least 11 more bits.
template <class E, class T, class C>
void finish(Expected<E>& expected, const HostGemm<T, C>& call, std::uint64_t row, std::uint64_t column,
            Tolerance tolerance) {
  using Real = Wide<E>;
  using Limits = std::numeric_limits<detail::EpilogueType<T>>;
  const GemmEpilogue& epilogue = call.problem.epilogue;
  Real& v = expected.value;
  Real& bound = expected.bound;
  const Real u = tolerance == Tolerance::exact ? Real{0} : static_cast<Real>(Limits::epsilon());
  const Real smallest = tolerance == Tolerance::exact ? Real{0} : static_cast<Real>(Limits::min());
  const auto rounded = [&] { bound += u * (std::abs(v) + bound) + smallest; };
  const auto number = [&](const detail::EpilogueType<T>* vector, EpilogueVector which) {
    return static_cast<Real>(vector[which == EpilogueVector::per_row ? row : column]);
  };
  if (epilogue.scale != EpilogueVector::none) {
    const Real scale = number(call.scale, epilogue.scale);
    v *= scale;
    bound *= std::abs(scale);
    rounded();
  }
  if (epilogue.bias != EpilogueVector::none) {
    v += number(call.bias, epilogue.bias);
    rounded();
  }
  if (epilogue.activation != Activation::none) {
    const bool is_relu = epilogue.activation == Activation::relu;
    const bool is_finite = std::isfinite(v);
    const Real size = std::abs(v) + bound;
    v = activated(epilogue.activation, v);
    bound *= is_relu ? Real{1} : static_cast<Real>(1.13L);
    if (!is_relu) bound += 40 * u * size + 1024 * smallest;
    if (!is_finite) bound = 0;  // v is infinity, NaN or 0
  }
  if (epilogue.residual) {
    v += static_cast<Real>(view_residual(call)(row, column));
    rounded();
  }
}

/// Returns the expected C of an exact integer sum modulo 2^32: a float, or an integer rounded from a float, whose bound
/// covers the rounded ends of the float's bounds.
template <class T, class C>
Expected<C> finished(std::int32_t sum, const HostGemm<T, C>& call, std::uint64_t row, std::uint64_t column) {
  Expected<float> expected{.value = static_cast<double>(sum)};
  expected.bound = std::abs(expected.value) * static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;
  finish(expected, call, row, column, Tolerance::rounding);
  if constexpr (std::is_same_v<C, float>) {
    return expected;
  } else {
    const auto rounded = [&](double value) {
      const double whole = std::isnan(value) ? 0 : std::nearbyint(std::clamp(value, -0x1p20, 0x1p20));
      return static_cast<Wide<C>>(std::clamp(whole + call.problem.epilogue.zero_point,
                                             static_cast<double>(std::numeric_limits<C>::min()),
                                             static_cast<double>(std::numeric_limits<C>::max())));
    };
    const Wide<C> value = rounded(expected.value);
    const Wide<C> low = rounded(expected.value - expected.bound), high = rounded(expected.value + expected.bound);
    return {.value = value, .bound = std::max(value - low, high - value)};
  }
}

}  // namespace tilewright::verification
