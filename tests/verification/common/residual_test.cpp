// The references of linear systems: right results of the host pass, and an error in any element is found.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "verification/cholesky/cholesky_residuals.hpp"
#include "verification/cholesky/definite_matrix.hpp"
#include "verification/lu/lu_data.hpp"
#include "verification/lu/lu_residuals.hpp"
#include "verification/triangular/lower_triangle.hpp"
#include "verification/triangular/triangular_residuals.hpp"

namespace tilewright::verification {
namespace {

constexpr double small_error = std::numeric_limits<float>::denorm_min() / 2.0;
constexpr int min_exponent = -149;

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Substitutes in f32: L X = B with a row-major lower triangle.
std::vector<float> substituted(const LowerTriangle<float>& l, std::vector<float> x) {
  for (std::uint64_t i = 0; i < l.n; ++i) {
    for (std::uint64_t j = 0; j < i; ++j) x[i] -= l(i, j) * x[j];
    x[i] /= l(i, i);
  }
  return x;
}

// The L of a lower triangle by Cholesky's method in f32.
LowerTriangle<float> factored(LowerTriangle<float> a) {
  for (std::uint64_t j = 0; j < a.n; ++j)
    for (std::uint64_t i = j; i < a.n; ++i) {
      for (std::uint64_t k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) = i == j ? std::sqrt(a(i, i)) : a(i, j) / a(j, j);
    }
  return a;
}

struct HostLu {
  std::vector<float> lu;
  std::vector<std::int64_t> pivots;
};

// LU factors with partial pivoting in f32 of a row-major matrix.
HostLu factored(std::vector<float> a, std::uint64_t n) {
  HostLu result;
  for (std::uint64_t j = 0; j < n; ++j) {
    std::uint64_t row = j;
    for (std::uint64_t i = j; i < n; ++i)
      if (std::abs(a[i * n + j]) > std::abs(a[row * n + j])) row = i;
    result.pivots.push_back(static_cast<std::int64_t>(row));
    for (std::uint64_t k = 0; k < n; ++k) std::swap(a[j * n + k], a[row * n + k]);
    for (std::uint64_t i = j + 1; i < n; ++i) {
      a[i * n + j] /= a[j * n + j];
      for (std::uint64_t k = j + 1; k < n; ++k) a[i * n + k] -= a[i * n + j] * a[j * n + k];
    }
  }
  result.lu = std::move(a);
  return result;
}

LuMatrix<float> square(const std::vector<float>& elements, std::uint64_t n) {
  return {elements.data(), Layout::row_major, n, n, n};
}

}  // namespace

TEST_SUITE("residuals") {
  TEST_CASE("triangular systems of every kind") {
    RandomStream random(1);
    constexpr std::uint64_t n = 19;
    for (const TriangleKind kind :
         {TriangleKind::dominant, TriangleKind::alternating, TriangleKind::arrow, TriangleKind::scaled,
          TriangleKind::tiny, TriangleKind::huge, TriangleKind::any_size}) {
      CAPTURE(static_cast<int>(kind));
      const auto l = draw_triangle<float>(random, kind, n, false, min_exponent);
      std::vector<float> b(n);
      for (std::uint64_t i = 0; i < n; ++i)
        b[i] = l.scales[i] * static_cast<float>(kind == TriangleKind::arrow ? 1.0 : random.symmetric());
      std::vector<float> x = substituted(l, b);
      const TrsmProblem problem{.m = n, .n = 1};
      const auto wrong = [&](bool exact = false) {
        return wrong_solution(triangular_system(problem, 1.0F, l.elements.data(), b.data(), x.data()), small_error,
                              exact);
      };
      CHECK(wrong(kind == TriangleKind::arrow) == "");
      for (const std::uint64_t i : {0U, 7U, 18U}) {
        const float right = x[i];
        if (l.scales[i] > 0x1p-120F) {  // otherwise a subnormal residual may hide the error
          x[i] = 1.01F * right + 0.01F;
          CHECK(mentions(wrong(), "equation " + std::to_string(i) + ", right-hand side 0"));
        }
        x[i] = std::numeric_limits<float>::quiet_NaN();
        CHECK(mentions(wrong(), "nan"));
        x[i] = right;
      }
    }
  }

  TEST_CASE("every form of a triangular system") {
    // T = [2 0; 1 4] and X = [3; 5], so T X = [6; 23].
    const std::vector<float> x{3, 5}, b{6, 23};
    for (const Side side : {Side::left, Side::right})
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const Transpose trans : {Transpose::no, Transpose::yes}) {
            const bool is_left = side == Side::left, is_transposed = is_left == (trans != Transpose::no);
            // An upper T is the lower one with its rows and columns in reverse.
            const bool is_reversed = (uplo == Uplo::lower) == is_transposed;
            TrsmProblem problem{.layout = layout, .side = side, .uplo = uplo, .trans = trans, .m = 2, .n = 2};
            (is_left ? problem.n : problem.m) = 1;
            const bool by_columns = is_transposed == (layout == Layout::row_major);
            std::vector<float> a{2, by_columns ? 1.0F : 99, by_columns ? 99 : 1.0F, 4}, of_x = x, of_b = b;
            if (is_reversed) {
              std::swap(a[0], a[3]);
              std::swap(a[1], a[2]);
              std::swap(of_x[0], of_x[1]);
              std::swap(of_b[0], of_b[1]);
            }
            const auto wrong = [&] {
              return wrong_solution(triangular_system(problem, 1.0F, a.data(), of_b.data(), of_x.data()), 0.0, true);
            };
            CHECK(wrong() == "");
            of_x[0] += 1;
            CHECK(wrong() != "");
          }
  }

  TEST_CASE("Cholesky factors and their systems") {
    RandomStream random(2);
    constexpr std::uint64_t n = 17, nrhs = 2;
    for (const TriangleKind kind : {TriangleKind::dominant, TriangleKind::scaled, TriangleKind::tiny,
                                    TriangleKind::huge, TriangleKind::any_size}) {
      CAPTURE(static_cast<int>(kind));
      const auto a = draw_cholesky<float>(random, kind, n, true, min_exponent);
      LowerTriangle<float> l = factored(a);
      const auto view = [&](const LowerTriangle<float>& of) {
        return lower_view(of.elements.data(), Layout::row_major, Uplo::lower, n, n);
      };
      const auto wrong_factor = [&](std::uint64_t rows) {
        return wrong_cholesky_factor(view(a), view(l), n, rows, small_error);
      };
      CHECK(wrong_factor(n) == "");
      l(9, 4) += l(9, 9) / 2;
      CHECK(mentions(wrong_factor(n), "(9, 4)"));
      CHECK(wrong_factor(9) == "");  // the rows before that are right
      l = factored(a);

      std::vector<float> b(n * nrhs), x(n * nrhs);
      for (std::uint64_t column = 0; column < nrhs; ++column) {
        std::vector<float> y(n);
        for (std::uint64_t i = 0; i < n; ++i)
          y[i] = b[i * nrhs + column] = static_cast<float>(random.symmetric()) * l.scales[i];
        y = substituted(l, y);
        for (std::uint64_t i = n; i-- > 0;) {
          for (std::uint64_t j = i + 1; j < n; ++j) y[i] -= l(j, i) * y[j];
          y[i] /= l(i, i);
          x[i * nrhs + column] = y[i];
        }
      }
      const auto wrong = [&] {
        const auto view_b = [&](const std::vector<float>& of) {
          return make_view(of.data(), Layout::row_major, Transpose::no, n, nrhs, nrhs);
        };
        return wrong_cholesky_solution(view(l), Uplo::lower, view_b(b), view_b(x), n, nrhs, small_error);
      };
      CHECK(wrong() == "");
      x[5 * nrhs + 1] *= 1.01F;
      CHECK(mentions(wrong(), "right-hand side 1"));
    }
  }

  TEST_CASE("the loss of kernels that scale rows is allowed only where they do") {
    // 2^50 and 1: L(1, 0) is 0 instead of 2^-26.
    const std::vector<float> a{0x1p50F, 0, 0.5F, 1}, l{0x1p25F, 0, 0, 1};
    const auto view = [](const std::vector<float>& of) {
      return make_view(of.data(), Layout::row_major, Transpose::no, 2, 2, 2);
    };
    CHECK(wrong_cholesky_factor(view(a), view(l), 2, 2, small_error, false) != "");
    CHECK(wrong_cholesky_factor(view(a), view(l), 2, 2, small_error, true) == "");
    const std::vector<float> b{0x1p30F, 0, 0x1p-10F, 1}, of_b{0x1p15F, 0, 0, 1};
    CHECK(wrong_cholesky_factor(view(b), view(of_b), 2, 2, small_error, true) != "");
  }

  TEST_CASE("LU factors of every kind of matrix") {
    RandomStream random(3);
    constexpr std::uint64_t n = 16;
    for (const LuKind kind : {LuKind::uniform, LuKind::positive, LuKind::scattered, LuKind::scaled_rows, LuKind::tiny,
                              LuKind::huge, LuKind::any_size}) {
      CAPTURE(static_cast<int>(kind));
      const LuData<float> data = draw_lu_matrix<float>(random, kind, n, n, true, min_exponent);
      HostLu host = factored(data.elements, n);
      const LuMatrix<float> a = square(data.elements, n);
      const auto wrong = [&] {
        return wrong_factors(LuFactors<float>(square(host.lu, n), host.pivots), a, small_error);
      };
      CHECK(wrong() == "");
      host.lu[7 * n + 7] *= 2;
      CHECK(mentions(wrong(), "L U - P A at (7, 7)"));
      host.lu[7 * n + 7] /= 2;
      host.lu[9 * n + 2] = -1.5F;
      CHECK(mentions(wrong(), "L(9, 2) is -1.5, larger than 1"));
      host.pivots[3] = 2;
      CHECK_THROWS_AS(LuFactors<float>(square(host.lu, n), host.pivots), std::invalid_argument);
      host.pivots[3] = n;
      CHECK_THROWS_AS(LuFactors<float>(square(host.lu, n), host.pivots), std::invalid_argument);
    }
  }

  TEST_CASE("systems, transposed systems and inverses with LU factors") {
    // Exact: P A = L U with L = [1 0; 0.5 1], U = [4 2; 0 3], and rows exchanged.
    const std::vector<float> lu{4, 2, 0.5F, 3};
    const std::vector<std::int64_t> pivots{1, 1};
    const LuFactors<float> factors(square(lu, 2), pivots);
    CHECK(factors.is_odd);
    CHECK(factors.order == std::vector<std::uint64_t>{1, 0});
    // A = [2 4; 4 2]: its columns of sums are 6, and so are its rows.
    const std::vector<float> ones{1, 1}, sixes{6, 6}, near{1, 1.001F};
    const auto column = [](const std::vector<float>& of) {
      return LuMatrix<float>{of.data(), Layout::row_major, 2, 1, 1};
    };
    const LuMatrix<float> right = column(sixes);
    for (const Transpose trans : {Transpose::no, Transpose::yes}) {
      CHECK(wrong_solution(factors, trans, column(ones), &right, small_error) == "");
      CHECK(mentions(wrong_solution(factors, trans, column(near), &right, small_error), "right-hand side 0"));
    }
    std::vector<float> inverse{-2 / 12.0F, 4 / 12.0F, 4 / 12.0F, -2 / 12.0F};
    CHECK(wrong_solution<float>(factors, Transpose::no, square(inverse, 2), nullptr, small_error) == "");
    inverse[3] = 0;
    CHECK(mentions(wrong_solution<float>(factors, Transpose::no, square(inverse, 2), nullptr, small_error),
                   "right-hand side 1"));
  }

  TEST_CASE("complex LU factors: a factorisation, the three systems and the determinant") {
    using Complex = std::complex<float>;
    // P A = L U with L = [1 0; 0.5 1], U = [2i 1; 0 1+i] and rows exchanged: A = [i 1.5+i; 2i 1].
    const Complex i(0, 1);
    std::vector<Complex> lu{2.0F * i, 1, 0.5F, 1.0F + i};
    const std::vector<Complex> a{i, 1.5F + i, 2.0F * i, 1}, ones{1, 1}, near{1, {1, 0.001F}};
    const auto matrix = [](const std::vector<Complex>& of, std::uint64_t columns) {
      return LuMatrix<Complex>{of.data(), Layout::row_major, 2, columns, columns};
    };
    const std::vector<std::int64_t> pivots{1, 1};
    const LuFactors<Complex> factors(matrix(lu, 2), pivots);
    CHECK(wrong_factors(factors, matrix(a, 2), small_error) == "");
    for (const auto& [trans, product] :
         {std::pair{Transpose::no, std::vector<Complex>{{1.5F, 2}, {1, 2}}},
          std::pair{Transpose::yes, std::vector<Complex>{{0, 3}, {2.5F, 1}}},
          std::pair{Transpose::conjugate_transpose, std::vector<Complex>{{0, -3}, {2.5F, -1}}}}) {
      const LuMatrix<Complex> right = matrix(product, 1);
      CHECK(wrong_solution(factors, trans, matrix(ones, 1), &right, small_error) == "");
      CHECK(mentions(wrong_solution(factors, trans, matrix(near, 1), &right, small_error), "right-hand side 0"));
    }
    // -2i (1 + i) = 2 - 2i
    const float half = std::sqrt(0.5F), logarithm = std::log(std::sqrt(8.0F));
    CHECK(wrong_determinant<Complex>(factors, {half, -half}, logarithm) == "");
    CHECK(mentions(wrong_determinant<Complex>(factors, {half, half}, logarithm), "expected 0.707"));
    CHECK(wrong_determinant<Complex>(factors, {half, -half}, {logarithm, 1}) != "");
    CHECK(wrong_determinant<Complex>(factors, {half, -half}, 1.01F * logarithm) != "");
    lu[2] = {1, 1.1F};
    CHECK(mentions(wrong_factors(factors, matrix(a, 2), small_error), "larger than 1.41422"));
  }

  TEST_CASE("determinants") {
    const auto wrong = [](std::vector<float> diagonal, std::vector<std::int64_t> pivots, float sign, float logarithm) {
      const std::vector<float> lu{diagonal[0], 5, 0, diagonal[1]};
      return wrong_determinant(LuFactors<float>(square(lu, 2), pivots), sign, logarithm);
    };
    const float log_6 = std::log(6.0F), infinity = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(wrong({2, -3}, {0, 1}, -1, log_6) == "");
    CHECK(wrong({2, -3}, {1, 1}, 1, log_6) == "");
    CHECK(mentions(wrong({2, -3}, {1, 1}, -1, log_6), "expected 1 and 1.79"));
    CHECK(wrong({2, 3}, {0, 1}, 1, 1.01F * log_6) != "");
    CHECK(wrong({2, 3}, {0, 1}, 1, nan) != "");
    CHECK(wrong({2, 0}, {0, 1}, 0, -infinity) == "");
    CHECK(wrong({2, 0}, {0, 1}, 0, 0) != "");
    CHECK(wrong({2, nan}, {0, 1}, nan, nan) == "");
    CHECK(wrong({2, nan}, {0, 1}, 1, 0) != "");
  }
}

}  // namespace tilewright::verification
