// Routines that use one triangle of a matrix, complex products, and memory that the program promises not to change.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <complex>
#include <vector>

#include "host_functions.hpp"
#include "matrix.hpp"
#include "tilewright/blas.h"

using namespace blas_test;

namespace {

// Fills the triangle above the diagonal with NaN: no routine may read it.
Matrix lower_part(Matrix matrix) {
  for (int j = 1; j < matrix.columns; ++j)
    for (int i = 0; i < j; ++i) matrix.at(i, j) = not_a_number;
  return matrix;
}

}  // namespace

TEST_CASE("a symmetric update leaves the other triangle alone") {
  const Matrix a(19, 8, 21, 1);
  Matrix c = lower_part(Matrix(19, 19, 20, 2)), expected = c;
  multiply(2, a, transposed(a), -1, expected);
  expected = lower_part(expected);
  const int n = 19, k = 8;
  const double alpha = 2, beta = -1;
  dsyrk_("L", "N", &n, &k, &alpha, a.data.data(), &a.ld, &beta, c.data.data(), &c.ld, 1, 1);
  CHECK(same(c.data, expected.data));
}

TEST_CASE("the other triangle may be read-only memory") {
  using Complex = std::complex<double>;
  // The last columns have a whole page above the diagonal.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), height = page / sizeof(Complex);
  const std::size_t order = height + 8, ld = 2 * height;
  const std::size_t bytes = order * ld * sizeof(Complex);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto* const c = static_cast<Complex*>(memory);
  for (std::size_t j = height; j < order; ++j) REQUIRE(mprotect(c + j * ld, page, PROT_READ) == 0);
  std::vector<Complex> a(order);
  for (std::size_t i = 0; i < order; ++i) a[i] = {static_cast<double>(i % 5), 1};
  const int n = static_cast<int>(order), k = 1, ldc = static_cast<int>(ld);
  const Complex one = 1, zero = 0;
  for (const Complex& beta : {zero, one}) {
    zsyrk_("L", "N", &n, &k, &one, a.data(), &n, &beta, c, &ldc, 1, 1);
    for (std::size_t j = 0; j < order; j += 7)
      for (std::size_t i = 0; i < order; ++i) {
        const Complex expected = i < j ? zero : a[i] * a[j] * (beta == zero ? 1.0 : 2.0);
        if (c[j * ld + i] != expected) FAIL_CHECK("row " << i << ", column " << j);
      }
  }
  munmap(memory, bytes);
}

TEST_CASE("a symmetric matrix is read from one triangle") {
  Matrix whole(12, 12, 12, 1);
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < j; ++i) whole.at(i, j) = whole.at(j, i);
  const Matrix stored = lower_part(whole), b(12, 9, 12, 2);
  Matrix c(12, 9, 13, 3), expected = c;
  multiply(1, whole, b, 2, expected);
  const int m = 12, n = 9;
  const double alpha = 1, beta = 2;
  dsymm_("L", "L", &m, &n, &alpha, stored.data.data(), &m, b.data.data(), &m, &beta, c.data.data(), &c.ld, 1, 1);
  CHECK(same(c.data, expected.data));
}

TEST_CASE("a triangular solution undoes a triangular product") {
  Matrix whole(10, 10, 10, 1);
  for (int j = 0; j < 10; ++j) {
    whole.at(j, j) = 1;
    for (int i = 0; i < j; ++i) whole.at(i, j) = 0;
    for (int i = j + 1; i < 10; ++i) whole.at(i, j) = (i + j) % 2;
  }
  const Matrix stored = lower_part(whole), before(10, 6, 11, 2);
  Matrix b = before, expected = before;
  multiply(1, whole, before, 0, expected);
  const int m = 10, n = 6;
  const double alpha = 1;
  dtrmm_("L", "L", "N", "U", &m, &n, &alpha, stored.data.data(), &m, b.data.data(), &b.ld, 1, 1, 1, 1);
  CHECK(same(b.data, expected.data));
  dtrsm_("L", "L", "N", "U", &m, &n, &alpha, stored.data.data(), &m, b.data.data(), &b.ld, 1, 1, 1, 1);
  CHECK(same(b.data, before.data));
}

TEST_CASE("complex products are right") {
  using Complex = std::complex<double>;
  constexpr int m = 7, n = 5, k = 6;
  std::vector<Complex> a(m * k), b(k * n), c(m * n), expected(m * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = {static_cast<double>(i % 5), static_cast<double>(i % 3)};
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = {static_cast<double>(i % 4), -static_cast<double>(i % 7)};
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = {1, static_cast<double>(i)};
  const Complex alpha{2, 1}, beta{0, 1};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) {
      Complex sum;
      for (std::size_t l = 0; l < k; ++l) sum += std::conj(a[i * k + l]) * b[j * k + l];
      expected[j * m + i] = alpha * sum + beta * c[j * m + i];
    }
  const int rows = m, columns = n, depth = k;
  zgemm_("C", "N", &rows, &columns, &depth, &alpha, a.data(), &depth, b.data(), &depth, &beta, c.data(), &rows, 1, 1);
  CHECK(c == expected);
}

TEST_CASE("kept memory is used, and may be changed after the promise") {
  auto* const keep = reinterpret_cast<decltype(&tilewright_blas_keep)>(dlsym(RTLD_DEFAULT, "tilewright_blas_keep"));
  auto* const drop = reinterpret_cast<decltype(&tilewright_blas_drop)>(dlsym(RTLD_DEFAULT, "tilewright_blas_drop"));
  REQUIRE((keep != nullptr));
  REQUIRE((drop != nullptr));
  Matrix a(14, 10, 14, 1);
  const int m = 14, n = 4, k = 10;
  const double alpha = 1, beta = 0;
  for (int change = 0; change < 2; ++change) {
    keep(a.data.data(), a.data.size() * sizeof(double));
    for (unsigned seed = 2; seed < 5; ++seed) {
      const Matrix b(10, 4, 10, seed);
      Matrix c(14, 4, 14, 9), expected = c;
      multiply(1, a, b, 0, expected);
      dgemm_("N", "N", &m, &n, &k, &alpha, a.data.data(), &m, b.data.data(), &k, &beta, c.data.data(), &m, 1, 1);
      CHECK(same(c.data, expected.data));
    }
    drop(a.data.data());
    a.at(3, 4) += 1;
  }
}

TEST_CASE("kept memory that a call on the host writes is uploaded again") {
  auto* const keep = reinterpret_cast<decltype(&tilewright_blas_keep)>(dlsym(RTLD_DEFAULT, "tilewright_blas_keep"));
  auto* const drop = reinterpret_cast<decltype(&tilewright_blas_drop)>(dlsym(RTLD_DEFAULT, "tilewright_blas_drop"));
  REQUIRE((keep != nullptr));
  REQUIRE((drop != nullptr));
  Matrix a(14, 10, 14, 1);
  const Matrix b(10, 4, 10, 2);
  const int m = 14, n = 4, k = 10;
  const double one = 1, two = 2, zero = 0;
  keep(a.data.data(), a.data.size() * sizeof(double));
  for (int change = 0; change < 3; ++change) {
    Matrix c(14, 4, 14, 9), expected = c;
    multiply(1, a, b, 0, expected);
    dgemm_("N", "N", &m, &n, &k, &one, a.data.data(), &m, b.data.data(), &k, &zero, c.data.data(), &m, 1, 1);
    CHECK(same(c.data, expected.data));
    // Scales A. The host computes calls whose alpha is 0.
    dgemm_("N", "N", &m, &k, &k, &zero, c.data.data(), &m, b.data.data(), &k, &two, a.data.data(), &m, 1, 1);
  }
  drop(a.data.data());
}
