// Calls whose results are larger than what is copied at once if the budget of memory is small. failure.sh and
// shared_memory.sh set that, and run the calls on devices that fail between the steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "host_functions.hpp"

namespace steps_test {
namespace {

using Complex = std::complex<double>;

constexpr int order = 130, depth = 7;

// A column-major matrix of small integers, whose products are exact.
struct Integers {
  Integers(int rows_, int columns_, int seed) : rows(rows_), columns(columns_) {
    data.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto number = static_cast<int>(i * 7 + i / 5 + static_cast<std::size_t>(seed));
      data[i] = {static_cast<double>(number % 11 - 5), static_cast<double>(number % 7 - 3)};
    }
  }
  Complex& at(int i, int j) { return data[static_cast<std::size_t>(j * rows + i)]; }
  const Complex& at(int i, int j) const { return data[static_cast<std::size_t>(j * rows + i)]; }

  int rows, columns;
  std::vector<Complex> data;
};

Integers conjugate_transpose(const Integers& matrix) {
  Integers result(matrix.columns, matrix.rows, 0);
  for (int j = 0; j < matrix.columns; ++j)
    for (int i = 0; i < matrix.rows; ++i) result.at(j, i) = std::conj(matrix.at(i, j));
  return result;
}

Integers transpose(const Integers& matrix) {
  Integers result = conjugate_transpose(matrix);
  for (Complex& element : result.data) element = std::conj(element);
  return result;
}

// c = alpha a b + beta c
void multiply(Complex alpha, const Integers& a, const Integers& b, Complex beta, Integers& c) {
  for (int j = 0; j < c.columns; ++j)
    for (int i = 0; i < c.rows; ++i) {
      Complex sum = 0;
      for (int l = 0; l < a.columns; ++l) sum += a.at(i, l) * b.at(l, j);
      c.at(i, j) = alpha * sum + beta * c.at(i, j);
    }
}

// Copies the triangle that a routine must leave alone from `before`.
Integers in_triangle(Integers result, const Integers& before, bool is_lower) {
  for (int j = 0; j < result.columns; ++j)
    for (int i = 0; i < result.rows; ++i)
      if (is_lower ? i < j : i > j) result.at(i, j) = before.at(i, j);
  return result;
}

Integers hermitian(int seed) {
  Integers matrix(order, order, seed);
  for (int j = 0; j < order; ++j) {
    matrix.at(j, j) = matrix.at(j, j).real();
    for (int i = 0; i < j; ++i) matrix.at(j, i) = std::conj(matrix.at(i, j));
  }
  return matrix;
}

// Unit triangular, with ones next to the diagonal: its inverse has small integers.
Integers bidiagonal(bool is_lower) {
  Integers matrix(order, order, 0);
  for (int j = 0; j < order; ++j)
    for (int i = 0; i < order; ++i) matrix.at(i, j) = i == j || (is_lower ? i == j + 1 : i + 1 == j) ? 1 : 0;
  return matrix;
}

const int n = order, k = depth;

const bool is_skipped = std::getenv("TILEWRIGHT_BLAS_MEMORY") == nullptr;  // all calls have one step

}  // namespace

TEST_CASE("complex products of several steps are right" * doctest::skip(is_skipped)) {
  const Integers a(order, depth, 1), b(depth, order, 2), before(order, order, 3);
  const Complex alpha{2, 1}, beta{0, -1};
  Integers c = before, expected = before;
  multiply(alpha, a, b, beta, expected);
  zgemm_("N", "N", &n, &n, &k, &alpha, a.data.data(), &n, b.data.data(), &k, &beta, c.data.data(), &n, 1, 1);
  CHECK(c.data == expected.data);
  c = before;
  const Integers a_stored = conjugate_transpose(a), b_stored = transpose(b);
  zgemm_("C", "T", &n, &n, &k, &alpha, a_stored.data.data(), &k, b_stored.data.data(), &n, &beta, c.data.data(), &n, 1,
         1);
  CHECK(c.data == expected.data);
}

TEST_CASE("triangles of several steps are right" * doctest::skip(is_skipped)) {
  const Integers a(order, depth, 1), b(order, depth, 2), any(order, order, 3), symmetric_to = hermitian(4);
  for (const bool is_lower : {true, false})
    for (const bool is_stored_transposed : {false, true}) {
      CAPTURE(is_lower);
      CAPTURE(is_stored_transposed);
      const char* const uplo = is_lower ? "L" : "U";
      const int ld = is_stored_transposed ? depth : order;
      const Complex alpha{2, 1}, beta{1, -1};
      const double real_alpha = 2, real_beta = -3;
      {
        const Integers x = is_stored_transposed ? transpose(a) : a, y = is_stored_transposed ? transpose(b) : b;
        const char* const trans = is_stored_transposed ? "T" : "N";
        Integers c = any, expected = any;
        multiply(alpha, a, transpose(a), beta, expected);
        zsyrk_(uplo, trans, &n, &k, &alpha, x.data.data(), &ld, &beta, c.data.data(), &n, 1, 1);
        CHECK(c.data == in_triangle(expected, any, is_lower).data);
        c = any;
        expected = any;
        multiply(alpha, a, transpose(b), beta, expected);
        multiply(alpha, b, transpose(a), 1, expected);
        zsyr2k_(uplo, trans, &n, &k, &alpha, x.data.data(), &ld, y.data.data(), &ld, &beta, c.data.data(), &n, 1, 1);
        CHECK(c.data == in_triangle(expected, any, is_lower).data);
      }
      const Integers x = is_stored_transposed ? conjugate_transpose(a) : a,
                     y = is_stored_transposed ? conjugate_transpose(b) : b;
      const char* const trans = is_stored_transposed ? "C" : "N";
      Integers c = symmetric_to, expected = symmetric_to;
      multiply(real_alpha, a, conjugate_transpose(a), real_beta, expected);
      zherk_(uplo, trans, &n, &k, &real_alpha, x.data.data(), &ld, &real_beta, c.data.data(), &n, 1, 1);
      CHECK(c.data == in_triangle(expected, symmetric_to, is_lower).data);
      c = symmetric_to;
      expected = symmetric_to;
      multiply(alpha, a, conjugate_transpose(b), real_beta, expected);
      multiply(std::conj(alpha), b, conjugate_transpose(a), 1, expected);
      zher2k_(uplo, trans, &n, &k, &alpha, x.data.data(), &ld, y.data.data(), &ld, &real_beta, c.data.data(), &n, 1, 1);
      CHECK(c.data == in_triangle(expected, symmetric_to, is_lower).data);
    }
}

TEST_CASE("products with a Hermitian matrix of several steps are right" * doctest::skip(is_skipped)) {
  const Integers a = hermitian(1), b(order, order, 2), before(order, order, 3);
  const Complex alpha{1, 2}, beta{0, 1};
  for (const char* side : {"L", "R"}) {
    Integers c = before, expected = before;
    multiply(alpha, *side == 'L' ? a : b, *side == 'L' ? b : a, beta, expected);
    zhemm_(side, "U", &n, &n, &alpha, a.data.data(), &n, b.data.data(), &n, &beta, c.data.data(), &n, 1, 1);
    CHECK(c.data == expected.data);
  }
}

TEST_CASE("triangular products and solutions of several steps are right" * doctest::skip(is_skipped)) {
  const Integers before(order, order, 2);
  const Complex one = 1;
  for (const char* side : {"L", "R"})
    for (const bool is_lower : {true, false}) {
      const Integers a = bidiagonal(is_lower);
      const char* const uplo = is_lower ? "L" : "U";
      Integers b = before, expected = before;
      multiply(one, *side == 'L' ? a : before, *side == 'L' ? before : a, 0, expected);
      ztrmm_(side, uplo, "N", "U", &n, &n, &one, a.data.data(), &n, b.data.data(), &n, 1, 1, 1, 1);
      CHECK(b.data == expected.data);
      ztrsm_(side, uplo, "N", "U", &n, &n, &one, a.data.data(), &n, b.data.data(), &n, 1, 1, 1, 1);
      CHECK(b.data == before.data);
    }
}

TEST_CASE("solutions with many right-hand sides are right, and set info" * doctest::skip(is_skipped)) {
  Integers a = bidiagonal(true), b(order, order, 1);
  const Integers x(order, order, 2);
  multiply(1, a, x, 0, b);
  std::vector<int> pivots(order);
  for (int i = 0; i < order; ++i) pivots[static_cast<std::size_t>(i)] = i + 1;
  int info = -1;
  zgetrs_("N", &n, &n, a.data.data(), &n, pivots.data(), b.data.data(), &n, &info, 1);
  CHECK(info == 0);
  CHECK(b.data == x.data);
}

}  // namespace steps_test
