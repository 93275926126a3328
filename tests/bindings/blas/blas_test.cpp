// Calls of BLAS and LAPACK by a program that does not know Tilewright. CMakeLists.txt preloads the library.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "host_functions.hpp"
#include "matrix.hpp"

using namespace blas_test;

namespace {

std::string wrong_routine;           // the last one that xerbla_() was told
std::jmp_buf* leave_call = nullptr;  // xerbla_() jumps here, as R's does

}  // namespace

// BLAS and LAPACK call the program's xerbla for arguments that are not permitted.
extern "C" void xerbla_(const char* routine, const int*, std::size_t length) {
  wrong_routine.assign(routine, length);
  if (leave_call != nullptr) std::longjmp(*leave_call, 1);
}

namespace {

bool is_mode(const char* mode) {
  const char* const value = std::getenv("TILEWRIGHT_BLAS");
  return value != nullptr && std::string(value) == mode;
}

void gemm(int m, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb, double beta, double* c,
          int ldc) {
  dgemm_("N", "n", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
}

// Whether a product of these sizes is right, and the gaps of C are untouched.
bool product_is_right(int m, int n, int k, unsigned seed) {
  const Matrix a(m, k, m + 3, seed), b(k, n, k + 1, seed + 1);
  Matrix c(m, n, m + 2, seed + 2), expected = c;
  multiply(2, a, b, -3, expected);
  gemm(m, n, k, 2, a.data.data(), a.ld, b.data.data(), b.ld, -3, c.data.data(), c.ld);
  return same(c.data, expected.data);
}

void* symbol(const char* name) { return dlsym(RTLD_DEFAULT, name); }

}  // namespace

TEST_CASE("the library is in the process") { CHECK(symbol("tilewright_blas_compute") != nullptr); }

TEST_CASE("products from Fortran are right") {
  CHECK(product_is_right(1, 1, 1, 1));
  CHECK(product_is_right(37, 29, 41, 2));
  CHECK(product_is_right(64, 65, 200, 3));
}

TEST_CASE("large products for more than a second" * doctest::skip(!is_mode("auto"))) {
  // LAPACK returns at once if A is 0. That is no speed of the host.
  constexpr int order = 500, one = 1;
  std::vector<float> zero(order * order), right(order), work(2 * order);
  for (int time = 0; time < 2; ++time) {
    int info = -1;
    const int lwork = 2 * order;
    right.assign(order, 1);
    sgels_("N", &order, &order, &one, zero.data(), &order, right.data(), &order, work.data(), &lwork, &info, 1);
    CHECK(info == 0);
    CHECK(right == std::vector<float>(order));
  }
  const Matrix a(400, 400, 400, 1);
  Matrix c(400, 400, 400, 2);
  const auto began = std::chrono::steady_clock::now();
  // Longer than a second, because calls end within it and the clock also counts other work.
  while (std::chrono::steady_clock::now() - began < std::chrono::seconds(2))
    gemm(400, 400, 400, 1, a.data.data(), 400, a.data.data(), 400, 0, c.data.data(), 400);
  CHECK(c.at(0, 0) == c.at(0, 0));
}

TEST_CASE("row-major products from CBLAS are right") {
  const Matrix a(23, 31, 23, 1), b(31, 17, 31, 2);  // as row-major matrices: their transposes
  Matrix c(17, 23, 17, 3), expected(23, 17, 23, 4);
  multiply(1, a, b, 0, expected);
  // Row-major C = op(B) op(A), which is 17 x 23, is the transpose of A B.
  constexpr int row_major = 101, trans = 112, no_trans = 111;
  cblas_dgemm(row_major, no_trans, no_trans, 17, 23, 31, 1, b.data.data(), 31, a.data.data(), 23, 0, c.data.data(), 23);
  for (int i = 0; i < 23; ++i)
    for (int j = 0; j < 17; ++j) CHECK(c.data[static_cast<std::size_t>(j * 23 + i)] == expected.at(i, j));
  cblas_dgemm(row_major, trans, trans, 23, 17, 31, 1, a.data.data(), 23, b.data.data(), 31, 0, c.data.data(), 17);
  for (int i = 0; i < 23; ++i)
    for (int j = 0; j < 17; ++j) CHECK(c.data[static_cast<std::size_t>(i * 17 + j)] == expected.at(i, j));
}

TEST_CASE("names with 64-bit integers are right") {
  // The host of this test has no such functions.
  if (!is_mode("always") || std::getenv("TILEWRIGHT_OPENCL_LIBRARY") != nullptr) return;
  using Function = void(const char*, const char*, const std::int64_t*, const std::int64_t*, const std::int64_t*,
                        const double*, const double*, const std::int64_t*, const double*, const std::int64_t*,
                        const double*, double*, const std::int64_t*, std::size_t, std::size_t);
  const Matrix a(9, 5, 9, 1), b(5, 7, 5, 2);
  Matrix expected(9, 7, 9, 3);
  multiply(1, a, b, 0, expected);
  for (const char* name : {"dgemm_64_", "scipy_dgemm_64_"}) {
    auto* const function = reinterpret_cast<Function*>(symbol(name));
    REQUIRE((function != nullptr));
    Matrix c(9, 7, 9, 4);
    const std::int64_t m = 9, n = 7, k = 5;
    const double alpha = 1, beta = 0;
    function("n", "n", &m, &n, &k, &alpha, a.data.data(), &m, b.data.data(), &k, &beta, c.data.data(), &m, 1, 1);
    CHECK(same(c.data, expected.data));
  }
  CHECK(symbol("scipy_cblas_dgemm64_") != nullptr);
  CHECK(symbol("scipy_dgesv_64_") != nullptr);
}

TEST_CASE("wrong arguments of a function that the host lacks reach the program's xerbla") {
  // The host of this test has no names with 64-bit integers.
  using Function = void(const std::int64_t*, const std::int64_t*, double*, const std::int64_t*, std::int64_t*, double*,
                        const std::int64_t*, std::int64_t*);
  auto* const solve = reinterpret_cast<Function*>(symbol("dgesv_64_"));
  REQUIRE((solve != nullptr));
  std::int64_t n = 2, nrhs = 1, lda = 1, info = 0, pivots[2] = {};
  double a[4] = {1, 0, 0, 1}, b[2] = {3, 4};
  wrong_routine.clear();
  solve(&n, &nrhs, a, &lda, pivots, b, &n, &info);
  CHECK(wrong_routine == "DGESV ");
  CHECK(info == -4);
  CHECK(b[0] == 3);
  n = 0;
  info = 1;
  solve(&n, &nrhs, a, &lda, pivots, b, &lda, &info);
  CHECK(info == 0);
}

TEST_CASE("a function that the host lacks is computed on the device") {
  if (std::getenv("TILEWRIGHT_OPENCL_LIBRARY") != nullptr) return;  // the device may fail
  // The host of this test has no names with 64-bit integers. It may have dgemmt_, which is wrong in OpenBLAS 0.3.26.
  using Function = void(const char*, const char*, const char*, const std::int64_t*, const std::int64_t*, const double*,
                        const double*, const std::int64_t*, const double*, const std::int64_t*, const double*, double*,
                        const std::int64_t*, std::size_t, std::size_t, std::size_t);
  auto* const gemmt = reinterpret_cast<Function*>(symbol("dgemmt_64_"));
  REQUIRE((gemmt != nullptr));
  const Matrix a(15, 6, 15, 1), b(6, 15, 6, 2);
  for (const std::int64_t k : {6, 0}) {
    Matrix c(15, 15, 16, 3), product = c;
    if (k > 0)
      multiply(2, a, b, 3, product);
    else
      for (double& element : product.data) element *= 3;
    Matrix expected = c;
    for (int j = 0; j < 15; ++j)
      for (int i = j; i < 15; ++i) expected.at(i, j) = product.at(i, j);
    const std::int64_t n = 15, lda = 15, ldb = 6, ldc = 16;
    const double alpha = 2, beta = 3;
    gemmt("L", "N", "N", &n, &k, &alpha, a.data.data(), &lda, b.data.data(), &ldb, &beta, c.data.data(), &ldc, 1, 1, 1);
    CHECK(same(c.data, expected.data));
  }
}

TEST_CASE("least squares of 0 by a name that the host lacks") {
  using Function =
      void(const char*, const std::int64_t*, const std::int64_t*, const std::int64_t*, double*, const std::int64_t*,
           double*, const std::int64_t*, double*, const std::int64_t*, std::int64_t*, std::size_t);
  auto* const solve = reinterpret_cast<Function*>(symbol("dgels_64_"));
  REQUIRE((solve != nullptr));
  const std::int64_t rows = 9, columns = 5, right = 2, ldb = 10, lwork = 20;
  Matrix a(9, 5, 9, 1), b(9, 2, 10, 2), expected = b;
  for (double& element : a.data) element = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 9; ++i) expected.at(i, j) = 0;
  std::vector<double> work(20);
  std::int64_t info = -1;
  solve("N", &rows, &columns, &right, a.data.data(), &rows, b.data.data(), &ldb, work.data(), &lwork, &info, 1);
  CHECK(info == 0);
  CHECK(same(b.data, expected.data));
  CHECK(work[0] >= 10);
}

TEST_CASE("NaN in C is not read if beta is 0, and NaN in A reaches C") {
  Matrix a(20, 30, 20, 1);
  const Matrix b(30, 10, 30, 2);
  Matrix c(20, 10, 20, 3), expected = c;
  std::fill(c.data.begin(), c.data.end(), not_a_number);
  multiply(1, a, b, 0, expected);
  gemm(20, 10, 30, 1, a.data.data(), 20, b.data.data(), 30, 0, c.data.data(), 20);
  CHECK(same(c.data, expected.data));
  a.at(4, 7) = not_a_number;
  gemm(20, 10, 30, 1, a.data.data(), 20, b.data.data(), 30, 0, c.data.data(), 20);
  for (int j = 0; j < 10; ++j) CHECK(std::isnan(c.at(4, j)));
  CHECK(c.at(5, 0) == expected.at(5, 0));
}

TEST_CASE("operands may interleave inside one matrix") {
  // The trailing update of a blocked factorisation: A22 -= A21 A12.
  constexpr int n = 60, block = 16, rest = n - block;
  Matrix whole(n, n, n, 5), expected = whole;
  Matrix a21(rest, block, rest, 1), a12(block, rest, block, 1), a22(rest, rest, rest, 1);
  for (int i = 0; i < rest; ++i)
    for (int j = 0; j < block; ++j) {
      a21.at(i, j) = whole.at(block + i, j);
      a12.at(j, i) = whole.at(j, block + i);
    }
  for (int i = 0; i < rest; ++i)
    for (int j = 0; j < rest; ++j) a22.at(i, j) = whole.at(block + i, block + j);
  multiply(-1, a21, a12, 1, a22);
  for (int i = 0; i < rest; ++i)
    for (int j = 0; j < rest; ++j) expected.at(block + i, block + j) = a22.at(i, j);
  gemm(rest, rest, block, -1, &whole.at(block, 0), n, &whole.at(0, block), n, 1, &whole.at(block, block), n);
  CHECK(same(whole.data, expected.data));
}

TEST_CASE("operands that share elements go to the host") {
  std::vector<double> values(400, 1);
  gemm(10, 10, 10, 1, values.data(), 10, values.data() + 100, 10, 0, values.data() + 50, 10);
  CHECK(values[0] == 1);  // the result is unspecified
}

TEST_CASE("empty products and arguments that are not permitted are the host's") {
  Matrix c(3, 3, 3, 1);
  const std::vector<double> before = c.data;
  gemm(0, 3, 3, 1, nullptr, 1, nullptr, 3, 0, c.data.data(), 1);
  gemm(3, 3, 0, 1, nullptr, 3, nullptr, 1, 1, c.data.data(), 3);
  CHECK(c.data == before);
  gemm(3, 3, 0, 1, nullptr, 3, nullptr, 1, 2, c.data.data(), 3);
  CHECK(c.data[0] == 2 * before[0]);
  wrong_routine.clear();
  gemm(3, 3, 3, 1, before.data(), 2, before.data(), 3, 0, c.data.data(), 3);
  CHECK(wrong_routine.find("GEMM") != std::string::npos);
}

TEST_CASE("a program's xerbla may leave the call by longjmp()") {
  std::jmp_buf place;
  Matrix c(3, 3, 3, 1);
  if (setjmp(place) == 0) {
    leave_call = &place;
    gemm(-1, 3, 3, 1, c.data.data(), 3, c.data.data(), 3, 0, c.data.data(), 3);
    FAIL("xerbla was not called");
  }
  leave_call = nullptr;
  CHECK(product_is_right(20, 20, 20, 7));
}

TEST_CASE("matrices may lie more than 2^31 elements apart") {
  constexpr int ld = 1 << 30, columns = 4;
  const std::size_t bytes = std::size_t{ld} * columns * sizeof(double);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;  // the system limits address space
  auto* const c = static_cast<double*>(memory);
  const Matrix a(2, 3, 2, 1), b(3, columns, 3, 2);
  Matrix expected(2, columns, 2, 3);
  multiply(1, a, b, 0, expected);
  gemm(2, columns, 3, 1, a.data.data(), 2, b.data.data(), 3, 0, c, ld);
  for (int j = 0; j < columns; ++j) CHECK(c[static_cast<std::size_t>(j) * std::size_t{ld}] == expected.at(0, j));
  munmap(memory, bytes);
}

TEST_CASE("threads may call at the same time") {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&wrong, t] {
      for (unsigned i = 0; i < 6; ++i)
        if (!product_is_right(30 + static_cast<int>(t), 20, 25, 10 * t + i)) ++wrong[t];
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}

TEST_CASE("a forked child computes on the host") {
  CHECK(product_is_right(33, 33, 33, 1));
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);  // a child that hangs dies
    _exit(product_is_right(33, 33, 33, 2) && product_is_right(50, 10, 20, 3) ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(product_is_right(33, 33, 33, 4));
}

TEST_CASE("children may be made while other threads call") {
  std::atomic<bool> stops = false;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2; ++t)
    threads.emplace_back([&stops, t] {
      while (!stops) product_is_right(30, 20, 25, t);
    });
  int failed = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(120);  // a child that hangs dies
      _exit(product_is_right(33, 33, 33, i) ? 0 : 1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) ++failed;
  }
  stops = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == 0);
}

TEST_CASE("LU solves systems, and reports singular matrices") {
  constexpr int n = 40, nrhs = 3;
  Matrix a(n, n, n + 2, 1);
  for (int i = 0; i < n; ++i) a.at(i, i) += 50;
  const Matrix x(n, nrhs, n, 2);
  Matrix b(n, nrhs, n + 1, 3);
  multiply(1, a, x, 0, b);
  Matrix factors = a, solution = b;
  std::vector<int> pivots(n);
  int info = -1, order = n, right = nrhs;
  dgesv_(&order, &right, factors.data.data(), &factors.ld, pivots.data(), solution.data.data(), &solution.ld, &info);
  CHECK(info == 0);
  for (int j = 0; j < nrhs; ++j)
    for (int i = 0; i < n; ++i) CHECK(std::abs(solution.at(i, j) - x.at(i, j)) < 1e-11);
  factors = a;
  solution = b;
  dgetrf_(&order, &order, factors.data.data(), &factors.ld, pivots.data(), &info);
  CHECK(info == 0);
  for (const int pivot : pivots) CHECK((pivot >= 1 && pivot <= n));
  dgetrs_("N", &order, &right, factors.data.data(), &factors.ld, pivots.data(), solution.data.data(), &solution.ld,
          &info, 1);
  for (int j = 0; j < nrhs; ++j)
    for (int i = 0; i < n; ++i) CHECK(std::abs(solution.at(i, j) - x.at(i, j)) < 1e-11);

  for (int i = 0; i < n; ++i) a.at(i, 7) = 0;
  solution = b;
  dgesv_(&order, &right, a.data.data(), &a.ld, pivots.data(), solution.data.data(), &solution.ld, &info);
  CHECK(info == 8);
  CHECK(same(solution.data, b.data));  // LAPACK leaves B unchanged
}

TEST_CASE("Cholesky solves systems, and reports matrices that are not definite") {
  constexpr int n = 30, nrhs = 2;
  const Matrix half(n, n, n, 1), x(n, nrhs, n, 2);
  Matrix transposed = half, a(n, n, n, 3), b(n, nrhs, n, 4);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) transposed.at(i, j) = half.at(j, i);
  multiply(1, half, transposed, 0, a);
  for (int i = 0; i < n; ++i) a.at(i, i) += 100;
  multiply(1, a, x, 0, b);
  Matrix factors = a, solution = b;
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < j; ++i) factors.at(i, j) = not_a_number;  // the other triangle is not read
  int info = -1, order = n, right = nrhs;
  dposv_("L", &order, &right, factors.data.data(), &order, solution.data.data(), &order, &info, 1);
  CHECK(info == 0);
  CHECK(std::isnan(factors.at(0, n - 1)));
  for (int j = 0; j < nrhs; ++j)
    for (int i = 0; i < n; ++i) CHECK(std::abs(solution.at(i, j) - x.at(i, j)) < 1e-9);
  a.at(5, 5) = -1;
  solution = b;
  dposv_("L", &order, &right, a.data.data(), &order, solution.data.data(), &order, &info, 1);
  CHECK(info == 6);
  CHECK(same(solution.data, b.data));
}
