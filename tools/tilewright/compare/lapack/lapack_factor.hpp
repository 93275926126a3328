// Matrices times vectors in higher precision, with sums of magnitudes for error bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "kernels/host_type.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::tool {

/// A vector in higher precision, and the sum of the magnitudes of all products that it was added up from.
template <class T>
struct Sum {
  std::vector<verification::WideNumber<T>> values;
  std::vector<verification::Wide<detail::Part<T>>> sizes;
};

/// A part of a column-major matrix, or its transpose, as a factor of products.
template <class T>
struct Factor {
  enum class Part { all, lower, upper };
  enum class Diagonal { stored, ones, zeros };

  const T* data = nullptr;
  std::uint64_t rows = 0, columns = 0;  ///< as stored
  std::uint64_t ld = 0;
  Part part = Part::all;
  Diagonal diagonal = Diagonal::stored;
  bool transposed = false;
  bool conjugated = false;

  Sum<T> operator*(const Sum<T>& x) const {
    using Number = verification::WideNumber<T>;
    const std::uint64_t length = transposed ? columns : rows;
    Sum<T> y{std::vector<Number>(length), std::vector<verification::Wide<detail::Part<T>>>(length)};
    const auto add = [&](std::uint64_t i, std::uint64_t j, Number element) {
      const std::uint64_t to = transposed ? j : i, from = transposed ? i : j;
      y.values[to] += element * x.values[from];
      y.sizes[to] += std::abs(element) * x.sizes[from];
    };
    for (std::uint64_t j = 0; j < columns; ++j) {
      if (!transposed && x.sizes[j] == 0) continue;  // columns of the identity are cheap
      const bool has_own = part == Part::all || diagonal == Diagonal::stored;
      const std::uint64_t first = part == Part::lower ? j + (has_own ? 0 : 1) : 0;
      const std::uint64_t end = part == Part::upper ? std::min(rows, j + (has_own ? 1 : 0)) : rows;
      for (std::uint64_t i = first; i < end; ++i) add(i, j, conjugate_if(static_cast<Number>(data[j * ld + i])));
      if (!has_own && diagonal == Diagonal::ones && j < rows) add(j, j, 1);
    }
    return y;
  }

 private:
  template <class Number>
  Number conjugate_if(const Number& x) const {
    if constexpr (detail::is_complex_host_type<T>)
      return conjugated ? std::conj(x) : x;
    else
      return x;
  }
};

template <class T>
Factor<T> transposed(Factor<T> factor) {
  factor.transposed = !factor.transposed;
  return factor;
}

template <class T>
Factor<T> conjugate_transposed(Factor<T> factor) {
  factor.conjugated = !factor.conjugated;
  return transposed(factor);
}

}  // namespace tilewright::tool
