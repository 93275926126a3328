// The checks of `tilewright bench` of factorisations, solutions and triangular systems, on results of plain loops.
#include "compare/lapack/lapack_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::tool {
namespace {

using Family = LapackOperation::Family;

LapackProblem problem_of(std::string_view name, std::uint64_t m, std::uint64_t n, std::uint64_t nrhs = 0) {
  return {.operation = find_lapack_operation(name), .type = DataType::f64, .m = m, .n = n, .nrhs = nrhs, .batch = 2};
}

/// One problem of a batch, with plain loops.
class Loops {
 public:
  Loops(const LapackProblem& problem, LapackData& data, std::uint64_t index)
      : p_(problem),
        a_(reinterpret_cast<double*>(data.a.data()) + index * p_.m * p_.n),
        b_(reinterpret_cast<double*>(data.b.data()) + index * p_.rows_of_b() * p_.columns_of_b()),
        pivots_(data.pivots.data() + index * p_.pivots()) {}

  void compute() {
    if (p_.operation->factors) factor();
    if (p_.operation->inverts())
      for (std::uint64_t i = 0; i < p_.n; ++i)
        for (std::uint64_t j = 0; j < p_.n; ++j) b(i, j) = i == j ? 1 : 0;
    if (p_.operation->has_b()) solve();
  }

 private:
  double& a(std::uint64_t i, std::uint64_t j) { return a_[j * p_.m + i]; }
  double& b(std::uint64_t i, std::uint64_t j) { return b_[j * p_.rows_of_b() + i]; }
  // Element (i, j) of L in A = L L^T.
  double& l(std::uint64_t i, std::uint64_t j) { return p_.uplo == Uplo::lower ? a(i, j) : a(j, i); }

  void factor() {
    if (p_.operation->family == Family::cholesky) return factor_symmetric();
    for (std::uint64_t j = 0; j < p_.pivots(); ++j) {
      std::uint64_t pivot = j;
      for (std::uint64_t i = j; i < p_.m; ++i)
        if (std::abs(a(i, j)) > std::abs(a(pivot, j))) pivot = i;
      pivots_[j] = static_cast<std::int64_t>(pivot);
      for (std::uint64_t k = 0; k < p_.n; ++k) std::swap(a(j, k), a(pivot, k));
      for (std::uint64_t i = j + 1; i < p_.m; ++i) {
        a(i, j) /= a(j, j);
        for (std::uint64_t k = j + 1; k < p_.n; ++k) a(i, k) -= a(i, j) * a(j, k);
      }
    }
  }

  void factor_symmetric() {
    for (std::uint64_t j = 0; j < p_.n; ++j) {
      for (std::uint64_t k = 0; k < j; ++k)
        for (std::uint64_t i = j; i < p_.n; ++i) l(i, j) -= l(i, k) * l(j, k);
      l(j, j) = std::sqrt(l(j, j));
      for (std::uint64_t i = j + 1; i < p_.n; ++i) l(i, j) /= l(j, j);
    }
  }

  void solve() {
    const bool is_transposed = p_.trans != Transpose::no;
    if (p_.operation->family == Family::triangular) return solve_triangle(p_.uplo, is_transposed, p_.diag);
    if (p_.operation->family == Family::cholesky) {
      solve_triangle(p_.uplo, p_.uplo == Uplo::upper, Diag::non_unit);
      return solve_triangle(p_.uplo, p_.uplo == Uplo::lower, Diag::non_unit);
    }
    if (!is_transposed) interchange(false);
    solve_triangle(is_transposed ? Uplo::upper : Uplo::lower, is_transposed,
                   is_transposed ? Diag::non_unit : Diag::unit);
    solve_triangle(is_transposed ? Uplo::lower : Uplo::upper, is_transposed,
                   is_transposed ? Diag::unit : Diag::non_unit);
    if (is_transposed) interchange(true);
  }

  void interchange(bool backwards) {
    for (std::uint64_t step = 0; step < p_.n; ++step) {
      const std::uint64_t i = backwards ? p_.n - 1 - step : step;
      for (std::uint64_t j = 0; j < p_.columns_of_b(); ++j)
        std::swap(b(i, j), b(static_cast<std::uint64_t>(pivots_[i]), j));
    }
  }

  // Solves for every column of B, or for every row if op(A) is on the right.
  void solve_triangle(Uplo uplo, bool is_transposed, Diag diag) {
    const bool by_rows = p_.side == Side::right;
    const bool turned = is_transposed != by_rows;
    const bool forwards = (uplo == Uplo::lower) != turned;
    const std::uint64_t lines = by_rows ? p_.rows_of_b() : p_.columns_of_b();
    for (std::uint64_t line = 0; line < lines; ++line) {
      const auto x = [&](std::uint64_t i) -> double& { return by_rows ? b(line, i) : b(i, line); };
      for (std::uint64_t step = 0; step < p_.n; ++step) {
        const std::uint64_t i = forwards ? step : p_.n - 1 - step;
        for (std::uint64_t k = forwards ? 0 : i + 1; k < (forwards ? i : p_.n); ++k)
          x(i) -= (turned ? a(k, i) : a(i, k)) * x(k);
        if (diag == Diag::non_unit) x(i) /= a(i, i);
      }
    }
  }

  const LapackProblem& p_;
  double* a_;
  double* b_;
  std::int64_t* pivots_;
};

LapackData computed(const LapackProblem& problem, const LapackData& before) {
  LapackData result = before;
  for (std::uint64_t x = 0; x < problem.batch; ++x) Loops(problem, result, x).compute();
  if (problem.operation->factors) result.info.assign(problem.batch, 0);
  return result;
}

// Every problem with other forms than the default ones.
std::vector<LapackProblem> problems() {
  std::vector<LapackProblem> all{
      problem_of("getrf", 9, 9),   problem_of("getrf", 12, 7), problem_of("getrf", 7, 12), problem_of("getrs", 9, 9, 3),
      problem_of("gesv", 9, 9, 3), problem_of("getri", 9, 9),  problem_of("potrf", 9, 9),  problem_of("potrs", 9, 9, 3),
      problem_of("posv", 9, 9, 3), problem_of("trsm", 9, 9, 3)};
  all.push_back(problem_of("getrs", 9, 9, 3));
  all.back().trans = Transpose::yes;
  for (const char* const name : {"potrf", "potrs", "posv"}) {
    all.push_back(problem_of(name, 9, 9, std::string_view(name) == "potrf" ? 0 : 3));
    all.back().uplo = Uplo::upper;
  }
  for (const Side side : {Side::left, Side::right})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Transpose trans : {Transpose::no, Transpose::yes})
        for (const Diag diag : {Diag::non_unit, Diag::unit}) {
          LapackProblem& problem = all.emplace_back(problem_of("trsm", 9, 9, 4));
          problem.side = side;
          problem.uplo = uplo;
          problem.trans = trans;
          problem.diag = diag;
        }
  return all;
}

}  // namespace

TEST_CASE("results of plain loops are right, and operands that were left alone are wrong") {
  for (const LapackProblem& problem : problems()) {
    CAPTURE(to_string(problem));
    const LapackData before = random_lapack_data(problem);
    const Verdict right = check_lapack(problem, before, computed(problem, before));
    CHECK_MESSAGE(right.wrong.empty(), right.wrong);
    CHECK(right.error_over_bound <= 1);
    CHECK_FALSE(check_lapack(problem, before, before).wrong.empty());
  }
}

TEST_CASE("a single wrong element of a small result is found, and NaN is") {
  for (const LapackProblem& problem : problems())
    for (const double change : {1e-9, std::nan("")}) {
      CAPTURE(to_string(problem));
      const LapackData before = random_lapack_data(problem);
      const LapackData right = computed(problem, before);
      const auto is_found = [&](std::vector<std::byte> LapackData::*operand, std::uint64_t element) {
        LapackData wrong = right;
        reinterpret_cast<double*>((wrong.*operand).data())[element] += change;
        const Verdict verdict = check_lapack(problem, before, wrong);
        return !verdict.wrong.empty() && verdict.error_over_bound > 1;
      };
      for (std::uint64_t element = 0; element < right.b.size() / sizeof(double); ++element)
        CHECK_MESSAGE(is_found(&LapackData::b, element), element);
      if (!problem.operation->factors) continue;
      for (std::uint64_t x = 0; x < problem.batch; ++x)
        for (std::uint64_t j = 0; j < problem.n; ++j)
          for (std::uint64_t i = 0; i < problem.m; ++i) {
            const bool is_factor =
                problem.operation->family == Family::lu || (problem.uplo == Uplo::lower ? i >= j : i <= j);
            CHECK(is_found(&LapackData::a, (x * problem.n + j) * problem.m + i) == is_factor);
          }
    }
}

TEST_CASE("wrong pivots and infos are found") {
  const LapackProblem problem = problem_of("gesv", 9, 9, 1);
  const LapackData before = random_lapack_data(problem);
  const LapackData right = computed(problem, before);
  LapackData wrong = right;
  wrong.info[1] = 3;
  CHECK(check_lapack(problem, before, wrong).wrong == "problem 1: info is 3, expected 0");
  for (const std::int64_t pivot : {-1, 2, 9}) {
    wrong = right;
    wrong.pivots[3] = pivot;
    CHECK(check_lapack(problem, before, wrong).wrong ==
          "problem 0: pivot 3 is " + std::to_string(pivot) + ", expected a row from 3 to 8");
  }
  wrong = right;
  wrong.pivots[0] = right.pivots[0] == 5 ? 6 : 5;
  CHECK_FALSE(check_lapack(problem, before, wrong).wrong.empty());
}

TEST_CASE("operations are counted as LAPACK counts them") {
  CHECK(problem_of("getrf", 30, 30).flops() == doctest::Approx(2 * 2.0 / 3 * 27000));  // a batch of 2
  CHECK(problem_of("getrf", 40, 20).flops() == doctest::Approx(2 * (40.0 * 400 - 8000.0 / 3)));
  CHECK(problem_of("getrf", 20, 40).flops() == problem_of("getrf", 40, 20).flops());
  CHECK(problem_of("gesv", 30, 30, 5).flops() ==
        doctest::Approx(problem_of("getrf", 30, 30).flops() + problem_of("getrs", 30, 30, 5).flops()));
  CHECK(problem_of("getri", 30, 30).flops() == doctest::Approx(2 * 4.0 / 3 * 27000));
  CHECK(problem_of("posv", 30, 30, 5).flops() ==
        doctest::Approx(problem_of("potrf", 30, 30).flops() + problem_of("potrs", 30, 30, 5).flops()));
  CHECK(problem_of("potrf", 30, 30).flops() == doctest::Approx(2 * 9000));
  CHECK(problem_of("trsm", 30, 30, 5).flops() == doctest::Approx(2 * 4500));
}

TEST_CASE("problems have texts with the forms that their operations have") {
  CHECK(to_string(problem_of("getrf", 12, 7)) == "2 times getrf 12 x 7 f64");
  CHECK(to_string(problem_of("gesv", 9, 9, 3)) == "2 times gesv 9, nrhs 3 f64");
  LapackProblem problem = problem_of("trsm", 9, 9, 3);
  problem.batch = 1;
  CHECK(to_string(problem) == "trsm 9, nrhs 3 f64 left lower");
  problem.side = Side::right;
  problem.uplo = Uplo::upper;
  problem.trans = Transpose::yes;
  problem.diag = Diag::unit;
  CHECK(to_string(problem) == "trsm 9, nrhs 3 f64 right upper T unit");
}

}  // namespace tilewright::tool
