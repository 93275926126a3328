// Quality of factors, solutions and inverses. By the measures of LAPACK's tests: backward errors in units of the
// roundoff, for which less than 30 is good, computed in long double, so that the measure's own error does not matter.
// And element by element, with rigorous bounds (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
// theorem 9.3 and section 9.3).
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tilewright/matrix.hpp"
#include "verification/common/precision.hpp"
#include "verification/common/substitution_factor.hpp"

namespace tilewright::verification {

/// Threshold of LAPACK's tests.
inline constexpr double lu_threshold = 30;

/// Real part of an element in higher precision.
template <class T>
using WidePart = Wide<detail::Part<T>>;

/// A matrix in host memory.
template <class T>
struct LuMatrix {
  using Number = std::conditional_t<detail::is_complex_host_type<T>, std::complex<long double>, long double>;

  const T* data = nullptr;
  Layout layout = Layout::row_major;
  std::uint64_t rows = 0, columns = 0, ld = 0;
  Transpose trans = Transpose::no;  ///< the view is op(stored matrix); rows and columns are the view's

  Number operator()(std::uint64_t i, std::uint64_t j) const {
    const bool by_rows = (layout == Layout::row_major) == (trans == Transpose::no);
    const Number element(data[by_rows ? i * ld + j : j * ld + i]);
    if constexpr (detail::is_complex_host_type<T>)
      return trans == Transpose::conjugate_transpose ? std::conj(element) : element;
    else
      return element;
  }
};

/// Quality of a factorisation.
struct LuQuality {
  double residual = 0;    ///< |P A - L U| / (max(m, n) |A| u) in the 1-norm, like dget01
  double element = 0;     ///< largest |P A - L U| / (factor |L| |U|), see lu_factor(): at most 1, whatever U's growth
  double multiplier = 0;  ///< largest |L| below the diagonal
  bool pivots_are_rows = true;
};

/// Returns the factor of the bounds: gamma(k + 4), or sqrt(2) gamma(2 k + 20) for complex numbers. Each of their
/// products takes two roundings per part, and a multiplication by a reciprocal about a dozen.
template <class T>
WidePart<T> lu_factor(std::uint64_t k) {
  return substitution_factor<T>(k, 4, 20);
}

/// Returns the bound of |L|: 1, or sqrt(2) with rounding errors for complex numbers, whose pivots have the largest sum
/// of the magnitudes of their parts.
template <class T>
constexpr double largest_multiplier() {
  return detail::is_complex_host_type<T> ? 1.41422 : 1;
}

template <class T>
LuQuality lu_quality(const LuMatrix<T>& a, const LuMatrix<T>& factors, std::span<const std::int64_t> pivots);

/// Returns the largest |B - A X| / (n |A| |X| u) of the columns first .. first + columns - 1, like dget02. A null B
/// means the identity, like dget03.
template <class T>
double system_residual(const LuMatrix<T>& a, const LuMatrix<T>& x, const LuMatrix<T>* b, std::uint64_t first,
                       std::uint64_t columns);

/// The factors of P A = L U in one matrix, and their row interchanges.
template <class T>
struct LuFactors {
  LuMatrix<T> lu;
  std::vector<std::uint64_t> order;  ///< the row of A for each row of the factors
  bool is_odd = false;               ///< whether the number of interchanges is odd

  /// Throws std::invalid_argument if a pivot is not one of the rows that are left.
  LuFactors(const LuMatrix<T>& factors, std::span<const std::int64_t> pivots);
};

// `small_error` is that of SmallNumbers. The texts are empty if everything is within its bound.

/// Describes the first element of L that is larger than largest_multiplier(), or of P A - L U that exceeds lu_factor(k)
/// |L| |U| and the errors of operations with small results.
template <class T>
std::string wrong_factors(const LuFactors<T>& factors, const LuMatrix<T>& a, WidePart<T> small_error);

/// Describes the first residual of op(A) X = B that exceeds lu_factor(n) (4 |L| |U| |X| + |B|), to first order in the
/// roundoff. A null B means the identity.
template <class T>
std::string wrong_solution(const LuFactors<T>& factors, Transpose trans, const LuMatrix<T>& x, const LuMatrix<T>* b,
                           WidePart<T> small_error);

/// Describes a determinant, as sign and logarithm, whose sign is wrong or whose logarithm exceeds its bound, 2 u (n +
/// 4) (1 + sum of |log |U(i, i)||). For complex numbers this bound is 4 times as large, that of the sign is 16 u (n +
/// 4), and the logarithm has no imaginary part.
template <class T>
std::string wrong_determinant(const LuFactors<T>& factors, T sign, T logarithm);

}  // namespace tilewright::verification
