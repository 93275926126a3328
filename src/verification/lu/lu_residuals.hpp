// How good factors, solutions and inverses are, by the measures of LAPACK's tests: backward errors in units of the
// roundoff, where less than 30 is good. In long double, so that what is measured is not the measure's own error.
#pragma once

#include <cstdint>
#include <span>

#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// What LAPACK's tests let pass.
inline constexpr double lu_threshold = 30;

/// A matrix on the host.
template <class T>
struct LuMatrix {
  const T* data = nullptr;
  Layout layout = Layout::row_major;
  std::uint64_t rows = 0, columns = 0, ld = 0;
  bool transposed = false;  ///< stands for its transpose, whose sizes are those above

  long double operator()(std::uint64_t i, std::uint64_t j) const {
    const bool by_rows = (layout == Layout::row_major) != transposed;
    return data[by_rows ? i * ld + j : j * ld + i];
  }
};

/// What a factorisation leaves.
struct LuQuality {
  double residual = 0;    ///< |P A - L U| / (max(m, n) |A| u) in the 1-norm, as dget01
  double element = 0;     ///< the largest |P A - L U| / (gamma_(k+4) |L| |U|): at most 1, however large U has grown
  double multiplier = 0;  ///< the largest |L|
  bool pivots_are_rows = true;
};

template <class T>
LuQuality lu_quality(const LuMatrix<T>& a, const LuMatrix<T>& factors, std::span<const std::int64_t> pivots);

/// |B - A X| / (n |A| |X| u) in the largest of the columns first .. first + columns - 1, as dget02. Without a B it
/// stands for the identity, which makes it dget03 of those columns.
template <class T>
double system_residual(const LuMatrix<T>& a, const LuMatrix<T>& x, const LuMatrix<T>* b, std::uint64_t first,
                       std::uint64_t columns);

}  // namespace tilewright::verification
