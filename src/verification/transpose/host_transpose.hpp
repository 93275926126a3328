// The reference of transpositions, element by element.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/host_type.hpp"
#include "tilewright/transpose.hpp"
#include "verification/common/guarded_matrix.hpp"

namespace tilewright::verification {

/// Returns alpha x for numbers of type T, rounded once if they are stored in fewer bits. alpha = 1 copies the bits.
template <class T>
Bits<sizeof(T)> scaled_bits(const Bits<sizeof(T)>& x, double alpha) {
  using Scalar = detail::Accumulator<T>;
  const auto factor = static_cast<Scalar>(alpha);
  if (factor == 1) return x;
  if (factor == 0) return {};
  return std::bit_cast<Bits<sizeof(T)>>(static_cast<T>(factor * static_cast<Scalar>(std::bit_cast<T>(x))));
}

/// Returns true if a product agrees with the reference. Bits must agree, except for the choice of a NaN, and for
/// results below the normal range, which may be 0.
template <class T>
bool is_product(const Bits<sizeof(T)>& expected, const Bits<sizeof(T)>& result) {
  const auto wanted = static_cast<double>(std::bit_cast<T>(expected));
  const auto got = static_cast<double>(std::bit_cast<T>(result));
  if (std::isnan(wanted)) return std::isnan(got);
  return expected == result || (std::abs(wanted) < static_cast<double>(std::numeric_limits<T>::min()) && got == 0);
}

/// Returns alpha x for any element type.
template <std::size_t size>
Bits<size> scaled_element(const Element& element, const Bits<size>& x, double alpha) {
  Bits<size> result = x;
  if (element.number())
    detail::with_real_host_type(*element.number(), [&]<class T>(std::type_identity<T>) {
      if constexpr (sizeof(T) == size) result = scaled_bits<T>(x, alpha);
    });
  return result;
}

/// Returns true if an element of the result agrees with the reference.
template <std::size_t size>
bool is_right(const Element& element, double alpha, const Bits<size>& expected, const Bits<size>& result) {
  if (expected == result) return true;
  if (alpha == 1 || alpha == 0 || !element.number()) return false;
  return detail::with_real_host_type(*element.number(), [&]<class T>(std::type_identity<T>) {
    if constexpr (sizeof(T) == size) return is_product<T>(expected, result);
    return false;
  });
}

/// Computes B = alpha op(A) for one matrix in host memory, out of place. `problem` must have its leading dimensions
/// set.
template <std::size_t size>
void host_transpose(const TransposeProblem& problem, double alpha, const Bits<size>* a, Bits<size>* b) {
  const bool by_rows = problem.layout == Layout::row_major;
  const std::uint64_t lines = by_rows ? problem.m : problem.n, length = by_rows ? problem.n : problem.m;
  for (std::uint64_t line = 0; line < lines; ++line)
    for (std::uint64_t at = 0; at < length; ++at)
      b[problem.trans == Transpose::yes ? at * problem.ldb + line : line * problem.ldb + at] =
          scaled_element(problem.type, a[line * problem.lda + at], alpha);
}

}  // namespace tilewright::verification
