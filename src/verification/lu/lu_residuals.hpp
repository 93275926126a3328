// Quality of factors, solutions and inverses, by the measures of LAPACK's tests: backward errors in units of the
// roundoff, for which less than 30 is good. Computed in long double, so that the measure's own error does not matter.
#pragma once

#include <cstdint>
#include <span>

#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// Threshold of LAPACK's tests.
inline constexpr double lu_threshold = 30;

/// A matrix in host memory.
template <class T>
struct LuMatrix {
  const T* data = nullptr;
  Layout layout = Layout::row_major;
  std::uint64_t rows = 0, columns = 0, ld = 0;
  bool transposed = false;  ///< views the transpose of the stored matrix; rows and columns are the view's

  long double operator()(std::uint64_t i, std::uint64_t j) const {
    const bool by_rows = (layout == Layout::row_major) != transposed;
    return data[by_rows ? i * ld + j : j * ld + i];
  }
};

/// Quality of a factorisation.
struct LuQuality {
  double residual = 0;    ///< |P A - L U| / (max(m, n) |A| u) in the 1-norm, like dget01
  double element = 0;     ///< largest |P A - L U| / (gamma_(k+4) |L| |U|): at most 1, whatever the growth of U
  double multiplier = 0;  ///< largest |L| below the diagonal
  bool pivots_are_rows = true;
};

template <class T>
LuQuality lu_quality(const LuMatrix<T>& a, const LuMatrix<T>& factors, std::span<const std::int64_t> pivots);

/// Returns the largest |B - A X| / (n |A| |X| u) of the columns first .. first + columns - 1, like dget02. A null B
/// means the identity, like dget03.
template <class T>
double system_residual(const LuMatrix<T>& a, const LuMatrix<T>& x, const LuMatrix<T>* b, std::uint64_t first,
                       std::uint64_t columns);

}  // namespace tilewright::verification
