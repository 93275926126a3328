// Matrices of small integers, whose products are exact in every order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace blas_test {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A column-major matrix of small integers, whose products are exact.
struct Matrix {
  Matrix(int rows_, int columns_, int ld_, unsigned seed) : rows(rows_), columns(columns_), ld(ld_) {
    data.assign(static_cast<std::size_t>(ld) * static_cast<std::size_t>(columns), not_a_number);
    std::mt19937 random(seed);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) at(i, j) = static_cast<double>(random() % 17) - 8;
  }
  double& at(int i, int j) {
    if (i < 0 || i >= ld || j < 0 || j >= columns) std::abort();
    return data[static_cast<std::size_t>(j) * static_cast<std::size_t>(ld) + static_cast<std::size_t>(i)];
  }
  double at(int i, int j) const { return const_cast<Matrix&>(*this).at(i, j); }

  int rows, columns, ld;
  std::vector<double> data;
};

inline Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.columns, matrix.rows, matrix.columns, 0);
  for (int i = 0; i < matrix.rows; ++i)
    for (int j = 0; j < matrix.columns; ++j) result.at(j, i) = matrix.at(i, j);
  return result;
}

// alpha A B + beta C, element by element.
inline void multiply(double alpha, const Matrix& a, const Matrix& b, double beta, Matrix& c) {
  for (int j = 0; j < c.columns; ++j)
    for (int i = 0; i < c.rows; ++i) {
      double sum = 0;
      for (int l = 0; l < a.columns; ++l) sum += a.at(i, l) * b.at(l, j);
      c.at(i, j) = beta == 0 ? alpha * sum : alpha * sum + beta * c.at(i, j);
    }
}

// Whether bits agree; gaps hold NaN on both sides.
inline bool same(const std::vector<double>& x, const std::vector<double>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
}

}  // namespace blas_test
