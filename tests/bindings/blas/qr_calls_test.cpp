// Calls of geqrf, ormqr and gels by a program that does not know Tilewright.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "host_functions.hpp"
#include "matrix.hpp"

using namespace blas_test;

namespace {

constexpr int m = 48, n = 21, nrhs = 3;

Matrix full_rank(int rows, int columns, unsigned seed) {
  Matrix matrix(rows, columns, rows + 2, seed);
  for (int j = 0; j < std::min(rows, columns); ++j) matrix.at(j, j) += 60;
  return matrix;
}

bool near(const Matrix& x, const Matrix& y, int rows) {
  for (int j = 0; j < y.columns; ++j)
    for (int i = 0; i < rows; ++i)
      if (!(std::abs(x.at(i, j) - y.at(i, j)) < 1e-10)) return false;
  return true;
}

// The size of the workspace that geqrf asks for, which the host answers.
int wanted_work(const Matrix& a) {
  double size = 0;
  int info = -1;
  const int query = -1;
  dgeqrf_(&a.rows, &a.columns, nullptr, &a.ld, nullptr, &size, &query, &info);
  CHECK(info == 0);
  CHECK(size >= a.columns);
  return static_cast<int>(size);
}

}  // namespace

TEST_CASE("Q R is the matrix, and Q^T Q is the identity") {
  for (const bool is_wide : {false, true}) {
    const Matrix a = is_wide ? full_rank(n, m, 1) : Matrix(full_rank(m, n, 1));
    const int rows = a.rows, columns = a.columns, k = n;
    Matrix factors = a;
    const int lwork = wanted_work(a);
    std::vector<double> tau(n), work(static_cast<std::size_t>(lwork));
    int info = -1;
    dgeqrf_(&rows, &columns, factors.data.data(), &factors.ld, tau.data(), work.data(), &lwork, &info);
    CHECK(info == 0);
    CHECK(work[0] >= columns);
    Matrix product(rows, columns, rows + 1, 2);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) product.at(i, j) = i <= j ? factors.at(i, j) : 0;
    const Matrix r = product;
    std::vector<double> more(static_cast<std::size_t>(std::max(rows, columns)));
    dormqr_("L", "N", &rows, &columns, &k, factors.data.data(), &factors.ld, tau.data(), product.data.data(),
            &product.ld, more.data(), &columns, &info, 1, 1);
    CHECK(info == 0);
    CHECK(near(product, a, rows));
    dormqr_("L", "T", &rows, &columns, &k, factors.data.data(), &factors.ld, tau.data(), product.data.data(),
            &product.ld, more.data(), &columns, &info, 1, 1);
    CHECK(near(product, r, rows));
    Matrix right = transposed(a);
    const int right_rows = right.rows;
    dormqr_("R", "N", &right_rows, &rows, &k, factors.data.data(), &factors.ld, tau.data(), right.data.data(),
            &right.ld, more.data(), &right_rows, &info, 1, 1);
    CHECK(info == 0);
    CHECK(near(transposed(right), r, rows));  // A^T Q = R^T
  }
}

TEST_CASE("complex Q has a conjugate transpose, and no other") {
  using Complex = std::complex<double>;
  constexpr int order = 9;
  std::vector<Complex> a(order * order), tau(order), work(64);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = {static_cast<double>(i % 7) - 3, static_cast<double>(i % 5) - 2};
  for (std::size_t i = 0; i < order; ++i) a[i * (order + 1)] += 20;
  const std::vector<Complex> before = a;
  const int size = order, lwork = 64;
  int info = -1;
  zgeqrf_(&size, &size, a.data(), &size, tau.data(), work.data(), &lwork, &info);
  CHECK(info == 0);
  std::vector<Complex> product = before;
  zunmqr_("L", "C", &size, &size, &size, a.data(), &size, tau.data(), product.data(), &size, work.data(), &lwork, &info,
          1, 1);
  CHECK(info == 0);
  for (std::size_t j = 0; j < order; ++j)
    for (std::size_t i = 0; i < order; ++i)
      CHECK(std::abs(product[j * order + i] - (i <= j ? a[j * order + i] : 0)) < 1e-11);
  product = before;
  zunmqr_("L", "T", &size, &size, &size, a.data(), &size, tau.data(), product.data(), &size, work.data(), &lwork, &info,
          1, 1);
  CHECK(info == -2);
  CHECK(product == before);
}

TEST_CASE("least squares have LAPACK's results") {
  const Matrix a = full_rank(m, n, 1), x(n, nrhs, n, 2);
  int info = -1;
  const int rows = m, columns = n, right = nrhs, lwork = 500;
  std::vector<double> work(lwork);
  for (const bool is_transposed : {false, true}) {
    Matrix factors = a, b(m, nrhs, m + 3, 3);
    const Matrix stored = transposed(a);
    // A X = B has an exact solution. A^T X = B has many, of which any solves it.
    const Matrix y(m, nrhs, m, 4);
    Matrix known(is_transposed ? n : m, nrhs, m + 3, 3);
    multiply(1, is_transposed ? stored : a, is_transposed ? y : x, 0, known);
    for (int j = 0; j < nrhs; ++j)
      for (int i = 0; i < known.rows; ++i) b.at(i, j) = known.at(i, j);
    dgels_(is_transposed ? "T" : "N", &rows, &columns, &right, factors.data.data(), &factors.ld, b.data.data(), &b.ld,
           work.data(), &lwork, &info, 1);
    CHECK(info == 0);
    CHECK(work[0] >= n + n);
    if (is_transposed) {
      Matrix residual(n, nrhs, n, 5);
      multiply(1, stored, b, 0, residual);
      CHECK(near(residual, known, n));
    } else {
      CHECK(near(b, x, n));
    }
  }
  // More columns than rows: A holds an LQ factorisation afterwards, which the host makes.
  Matrix wide = transposed(a), b(m, nrhs, m, 6);
  const Matrix before = b;
  dgels_("N", &columns, &rows, &right, wide.data.data(), &wide.ld, b.data.data(), &b.ld, work.data(), &lwork, &info, 1);
  CHECK(info == 0);
  Matrix residual(n, nrhs, n, 7);
  multiply(1, transposed(a), b, 0, residual);
  CHECK(near(residual, before, n));
}

TEST_CASE("least squares of matrices that LAPACK scales") {
  const int rows = m, columns = n, right = nrhs, lwork = 500;
  std::vector<double> work(lwork);
  int info = -1;
  Matrix zero(m, n, m, 1), b(m, nrhs, m, 2);
  for (double& element : zero.data) element = 0;
  dgels_("N", &rows, &columns, &right, zero.data.data(), &zero.ld, b.data.data(), &b.ld, work.data(), &lwork, &info, 1);
  CHECK(info == 0);
  for (int j = 0; j < nrhs; ++j)
    for (int i = 0; i < n; ++i) CHECK(b.at(i, j) == 0);
  const Matrix x(n, nrhs, n, 3);
  for (const double scale : {1e-300, 1e300}) {
    Matrix a = full_rank(m, n, 1), scaled(m, nrhs, m, 4);
    multiply(1, a, x, 0, scaled);
    for (double& element : a.data) element *= scale;
    dgels_("N", &rows, &columns, &right, a.data.data(), &a.ld, scaled.data.data(), &scaled.ld, work.data(), &lwork,
           &info, 1);
    CHECK(info == 0);
    for (int j = 0; j < nrhs; ++j)
      for (int i = 0; i < n; ++i) CHECK(std::abs(scaled.at(i, j) * scale - x.at(i, j)) < 1e-10);
  }
}

TEST_CASE("arguments of QR that are not permitted are the host's") {
  Matrix a = full_rank(m, n, 1);
  const Matrix before = a;
  std::vector<double> tau(n), work(200);
  int info = 0;
  const int rows = m, columns = n, too_little = n - 1;
  dgeqrf_(&rows, &columns, a.data.data(), &a.ld, tau.data(), work.data(), &too_little, &info);
  CHECK(info == -7);
  CHECK(same(a.data, before.data));
}

TEST_CASE("QR by names that the host lacks") {
  if (std::getenv("TILEWRIGHT_OPENCL_LIBRARY") != nullptr) return;  // the device may fail
  using Integer = std::int64_t;
  using Factor =
      void(const Integer*, const Integer*, double*, const Integer*, double*, double*, const Integer*, Integer*);
  using Solve = void(const char*, const Integer*, const Integer*, const Integer*, double*, const Integer*, double*,
                     const Integer*, double*, const Integer*, Integer*, std::size_t);
  using Multiply =
      void(const char*, const char*, const Integer*, const Integer*, const Integer*, double*, const Integer*,
           const double*, double*, const Integer*, double*, const Integer*, Integer*, std::size_t, std::size_t);
  auto* const factor = reinterpret_cast<Factor*>(dlsym(RTLD_DEFAULT, "dgeqrf_64_"));
  auto* const solve = reinterpret_cast<Solve*>(dlsym(RTLD_DEFAULT, "scipy_dgels_64_"));
  auto* const multiply_by_q = reinterpret_cast<Multiply*>(dlsym(RTLD_DEFAULT, "dormqr_64_"));
  REQUIRE((factor != nullptr));
  REQUIRE((solve != nullptr));
  REQUIRE((multiply_by_q != nullptr));
  Matrix a = full_rank(m, n, 1), b(m, nrhs, m, 2);
  const Matrix x(n, nrhs, n, 3);
  multiply(1, a, x, 0, b);
  std::vector<double> tau(n), work(200);
  Integer rows = m, columns = n, ld = a.ld, right = nrhs, ldb = m, lwork = -1, info = 1;
  factor(&rows, &columns, a.data.data(), &ld, tau.data(), work.data(), &lwork, &info);
  CHECK(info == 0);
  CHECK(work[0] == n);
  lwork = n - 1;
  factor(&rows, &columns, a.data.data(), &ld, tau.data(), work.data(), &lwork, &info);
  CHECK(info == -7);
  const Integer too_many = m + 1;
  lwork = 200;
  multiply_by_q("L", "N", &rows, &right, &too_many, a.data.data(), &ld, tau.data(), b.data.data(), &ldb, work.data(),
                &lwork, &info, 1, 1);
  CHECK(info == -5);
  const std::string mode = std::getenv("TILEWRIGHT_BLAS") != nullptr ? std::getenv("TILEWRIGHT_BLAS") : "";
  if (mode == "never") return;  // nobody can compute the rest
  solve("N", &rows, &columns, &right, a.data.data(), &ld, b.data.data(), &ldb, work.data(), &lwork, &info, 1);
  CHECK(info == 0);
  CHECK(near(b, x, n));
  // Without equations, X is 0.
  rows = 0;
  ld = 1;
  b = Matrix(m, nrhs, m, 4);
  solve("N", &rows, &columns, &right, a.data.data(), &ld, b.data.data(), &ldb, work.data(), &lwork, &info, 1);
  CHECK(info == 0);
  for (int j = 0; j < nrhs; ++j)
    for (int i = 0; i < n; ++i) CHECK(b.at(i, j) == 0);
}
