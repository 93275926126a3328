// Errors of LU factors and of the systems that they solve.
#pragma once

#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "differential/triangle.hpp"

namespace tilewright::test::differential {

/// A row-major matrix in higher precision.
template <class Real>
struct WideMatrix {
  std::uint64_t rows = 0, columns = 0;
  std::vector<Real> elements{};

  WideMatrix(std::uint64_t m, std::uint64_t n) : rows(m), columns(n), elements(m * n, Real{0}) {}
  Real& operator()(std::uint64_t i, std::uint64_t j) { return elements[i * columns + j]; }
  const Real& operator()(std::uint64_t i, std::uint64_t j) const { return elements[i * columns + j]; }
};

/// L and U in one matrix, and the row of A for each of their rows.
template <class Real>
struct LuFactors {
  WideMatrix<Real> lu;
  std::vector<std::uint64_t> order{};

  /// Applies the interchanges to the row numbers; empty if an interchange is out of range.
  static std::vector<std::uint64_t> order_of(const std::int64_t* pivots, std::uint64_t steps, std::uint64_t rows) {
    std::vector<std::uint64_t> order(rows);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::uint64_t i = 0; i < steps; ++i) {
      const auto row = static_cast<std::uint64_t>(pivots[i]);
      if (row < i || row >= rows) return {};
      std::swap(order[i], order[row]);
    }
    return order;
  }
};

/// Checks that P A = L U within gamma_(k+4) |L| |U| and that |L| is at most 1. Returns a description of the error.
template <class T>
std::string check_factors(const LuFactors<verification::Wide<T>>& factors, const WideMatrix<verification::Wide<T>>& a) {
  using Real = verification::Wide<T>;
  const std::uint64_t m = a.rows, n = a.columns, steps = std::min(m, n);
  const Real gamma = verification::gamma_factor<T>(steps + 4);
  WideMatrix<Real> columns(n, m);  // for reading both factors along their rows
  for (std::uint64_t i = 0; i < m; ++i)
    for (std::uint64_t j = 0; j < n; ++j) columns(j, i) = factors.lu(i, j);
  for (std::uint64_t i = 0; i < m; ++i)
    for (std::uint64_t j = 0; j < n; ++j) {
      std::ostringstream text;
      if (i > j && !(std::abs(factors.lu(i, j)) <= 1)) {
        text << "L(" << i << ", " << j << ") is " << factors.lu(i, j);
        return text.str();
      }
      DotProduct<T> sum{-a(factors.order[i], j), 0};
      const std::uint64_t last = std::min(i, j);
      for (std::uint64_t k = 0; k < last; ++k) sum.add(factors.lu(i, k), columns(j, k));
      sum.add(i <= j ? Real{1} : factors.lu(i, last), i <= j ? factors.lu(i, j) : columns(j, last));
      const Real bound = gamma * sum.size + underflow<T>(steps + 4, 1);
      if (std::abs(sum.value) <= bound) continue;
      text << "L U - P A is " << sum.value << " at (" << i << ", " << j << "), its bound " << bound;
      return text.str();
    }
  return {};
}

/// Checks that op(A) x = b within gamma_(n+4) (4 |L||U||x| + |b|). The bound covers three systems and the factors' own
/// error, up to second-order terms. Returns a description of the error.
template <class T>
std::string check_solution(const LuFactors<verification::Wide<T>>& factors, bool is_transposed,
                           const std::vector<verification::Wide<T>>& x, const std::vector<verification::Wide<T>>& b) {
  using Real = verification::Wide<T>;
  const std::uint64_t n = x.size();
  const WideMatrix<Real>& lu = factors.lu;
  std::vector<DotProduct<T>> inner(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (is_transposed) {  // L^T P x
      inner[i].add(1, x[factors.order[i]]);
      for (std::uint64_t j = i + 1; j < n; ++j) inner[i].add(lu(j, i), x[factors.order[j]]);
    } else {  // U x
      for (std::uint64_t j = i; j < n; ++j) inner[i].add(lu(i, j), x[j]);
    }
  }
  for (std::uint64_t i = 0; i < n; ++i) {
    const Real right = b[is_transposed ? i : factors.order[i]];
    Real residual = -right, size = 0, largest = 1;
    for (std::uint64_t j = 0; j <= i; ++j) {
      const Real factor = is_transposed ? lu(j, i) : i == j ? Real{1} : lu(i, j);
      residual += factor * inner[j].value;
      size += std::abs(factor) * inner[j].size;
      largest = std::max(largest, std::abs(factor));
    }
    const Real gamma = static_cast<Real>(1.01L) * verification::gamma_factor<T>(n + 4);
    const Real bound = gamma * (4 * size + std::abs(right)) + underflow<T>((n + 4) * 4, largest);
    if (std::abs(residual) <= bound) continue;
    std::ostringstream text;
    text << "the residual of equation " << i << " is " << residual << ", its bound " << bound;
    return text.str();
  }
  return {};
}

}  // namespace tilewright::test::differential
