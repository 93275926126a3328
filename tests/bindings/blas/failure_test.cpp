// Products of several tiles. failure.sh runs them and all other calls on devices that fail at different times.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "host_functions.hpp"
#include "matrix.hpp"

using namespace blas_test;

namespace {

// Allocations of this thread that will fail.
thread_local int failing_allocations = 0;

// Lets allocations succeed again when a call of BLAS has returned.
template <class Function>
void with_failures(const Function& call) {
  call();
  failing_allocations = 0;
}

}  // namespace

extern "C" void fail_allocations(int count) { failing_allocations = count; }

void* operator new(std::size_t size) {
  if (failing_allocations > 0) {
    --failing_allocations;
    throw std::bad_alloc();
  }
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Not inlined: GCC would warn that free() gets what the operator new above returns.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("products of several tiles are right, also if the device fails half-way") {
  constexpr int m = 230, n = 210, k = 40;
  const Matrix a(m, k, m + 3, 1), b(k, n, k + 1, 2);
  const Matrix a_transposed = transposed(a), b_transposed = transposed(b), before(m, n, m + 2, 3);
  const double alpha = 2;
  for (const double beta : {-3.0, 0.0}) {
    Matrix expected = before;
    multiply(alpha, a, b, beta, expected);
    for (int form = 0; form < 8; ++form) {
      CAPTURE(form);
      const bool swaps_a = form % 2 == 1, swaps_b = form / 2 % 2 == 1;
      const Matrix &x = swaps_a ? a_transposed : a, &y = swaps_b ? b_transposed : b;
      Matrix c = before;
      with_failures([&] {
        dgemm_(swaps_a ? "T" : "N", swaps_b ? "C" : "N", &m, &n, &k, &alpha, x.data.data(), &x.ld, y.data.data(), &y.ld,
               &beta, c.data.data(), &c.ld, 1, 1);
      });
      CHECK(same(c.data, expected.data));
    }
  }
}

TEST_CASE("row-major products of several tiles are right, also if the device fails half-way") {
  constexpr int m = 230, n = 210, k = 40;
  // A row-major matrix is stored as its transpose in column-major order.
  const Matrix a(m, k, m, 1), b(k, n, k, 2), before(m, n, m, 3);
  const Matrix rows_of_a = transposed(a), rows_of_b = transposed(b), rows_before = transposed(before);
  Matrix product = before;
  multiply(1, a, b, 2, product);
  const Matrix expected = transposed(product);
  constexpr int row_major = 101, no_trans = 111, trans = 112;
  for (int form = 0; form < 4; ++form) {
    Matrix c = rows_before;
    with_failures([&] {
      cblas_dgemm(row_major, no_trans, no_trans, m, n, k, 1, rows_of_a.data.data(), rows_of_a.ld, rows_of_b.data.data(),
                  rows_of_b.ld, 2, c.data.data(), c.ld);
    });
    CHECK(same(c.data, expected.data));
    c = rows_before;
    with_failures([&] {
      cblas_dgemm(row_major, trans, trans, m, n, k, 1, a.data.data(), a.ld, b.data.data(), b.ld, 2, c.data.data(),
                  c.ld);
    });
    CHECK(same(c.data, expected.data));
  }
}

TEST_CASE("products in single precision are right, also if the device fails half-way") {
  constexpr int m = 230, n = 210, k = 40;
  const auto rounded = [](const Matrix& x) { return std::vector<float>(x.data.begin(), x.data.end()); };
  const Matrix a(m, k, m, 1), b(k, n, k, 2), before(m, n, m, 3);
  Matrix expected = before;
  multiply(1, a, b, -1, expected);
  const std::vector<float> x = rounded(a), y = rounded(b);
  const float alpha = 1, beta = -1;
  for (int time = 0; time < 4; ++time) {
    std::vector<float> c = rounded(before);
    with_failures([&] { sgemm_("N", "N", &m, &n, &k, &alpha, x.data(), &m, y.data(), &k, &beta, c.data(), &m, 1, 1); });
    CHECK(c == rounded(expected));
  }
}
