// A fused epilogue in higher precision, with what the kernels' may be wrong by.
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
      return is_lowest ? Real{0} : v / (1 + std::exp(-2 * u));  // 1 + tanh(u) is 2 / (1 + exp(-2 u))
    }
    case Activation::silu:
      return is_lowest ? Real{0} : v / (1 + std::exp(-v));
  }
  return v;
}

/// Puts element (row, column) of alpha A B + beta C, as it is expected before it is stored, through the call's
/// epilogue.
///
/// Each sum and product of v + dv adds a rounding, u (|v| + |dv|), to what dv becomes; underflow adds the smallest
/// normal number. An activation f makes dv at most L |dv|: L is 1 for ReLU, and less than 1.13 for the others, the
/// largest slope of GELU. The kernels' f is v times a share s between 0 and 1, of which OpenCL's functions make
///   gelu       in double erfc(x) / 2 to 16 ulp, so 32 u s; x is wrong by 2 u |x|, which moves s by less than u.
///              In float a fit that is wrong by 12 u of a share of at most 1/2, its 10 roundings, and exp2 to 3 ulp of
///              what is wrong by 3 u |x|, which moves s by less than 2 u
///   gelu_tanh  1 / (1 + exp2(-x)) to 3 ulp of exp2, 2.5 of the division and a sum: 13 u s; x, a sum of like signs, is
///              wrong by 7 u |x|, which moves s by less than 2 u, as |x| s'(x) < 0.23
///   silu       the same of an x that is wrong by 2 u |x|
/// and one more rounding: in all less than 40 u |v|. As s is smaller than the smallest normal number from where |v| is
/// 1024 at most, underflow loses 1024 of these numbers at most. With u twice as large the reference's own rounding,
/// which has 11 more bits at least, is in all that, too.
template <class E, class T, class C>
void finish(Expected<E>& expected, const HostGemm<T, C>& call, std::uint64_t row, std::uint64_t column,
            Tolerance tolerance) {
  using Real = Wide<E>;
  using Limits = std::numeric_limits<detail::Finishing<T>>;
  const GemmEpilogue& epilogue = call.problem.epilogue;
  Real& v = expected.value;
  Real& bound = expected.bound;
  const Real u = tolerance == Tolerance::exact ? Real{0} : static_cast<Real>(Limits::epsilon());
  const Real smallest = tolerance == Tolerance::exact ? Real{0} : static_cast<Real>(Limits::min());
  const auto rounded = [&] { bound += u * (std::abs(v) + bound) + smallest; };
  const auto number = [&](const detail::Finishing<T>* vector, EpilogueVector which) {
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
    if (!is_finite) bound = 0;  // it is infinity, NaN or 0
  }
  if (epilogue.residual) {
    v += static_cast<Real>(view_residual(call)(row, column));
    rounded();
  }
}

/// An exact sum of integers, modulo 2^32, as a float C, or rounded to a C of integers: between what the ends of the
/// float's bounds are rounded to.
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
