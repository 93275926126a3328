#include "compare/lapack/lapack_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "compare/lapack/lapack_factor.hpp"
#include "kernels/host_type.hpp"
#include "verification/common/precision.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/row_sample.hpp"
#include "verification/common/substitution_factor.hpp"

namespace tilewright::tool {
namespace {

using Family = LapackOperation::Family;

// Elements of A that may be read for all problems of a batch together; a second or two.
constexpr double max_elements = 3e8;
constexpr std::uint64_t max_vectors = 16;

template <class T>
class Check {
  using Real = verification::Wide<detail::Part<T>>;
  using Number = verification::WideNumber<T>;
  using Vector = Sum<T>;
  using Matrix = Factor<T>;
  using Part = typename Matrix::Part;
  using Diagonal = typename Matrix::Diagonal;

 public:
  Check(const LapackProblem& problem, const LapackData& before, const LapackData& result)
      : problem_(problem), operation_(*problem.operation), before_(before), result_(result) {}

  Verdict operator()() {
    const double elements = static_cast<double>(problem_.m) * static_cast<double>(problem_.n);
    const auto affordable = [](double count) { return static_cast<std::uint64_t>(std::clamp(count, 2.0, 1e6)); };
    vectors_ = std::min(affordable(max_elements / elements), max_vectors);
    const std::uint64_t problems = affordable(max_elements / (elements * static_cast<double>(vectors_)));
    for (const std::uint64_t x : verification::sample_rows(problem_.batch, problems, 1)) {
      index_ = x;
      check_problem();
    }
    return verdict_;
  }

 private:
  void check_problem() {
    if (operation_.has_info() && result_.info[index_] != 0)
      return fail(std::numeric_limits<double>::infinity(), fmt::format("info is {}, expected 0", result_.info[index_]));
    if (operation_.has_pivots() && !read_pivots()) return;
    if (operation_.is_least_squares()) return check_least_squares();
    if (operation_.uses_reflectors()) return check_uses();
    if (operation_.factors) check_factors();
    if (operation_.solves || operation_.inverts()) check_solutions();
  }

  void check_factors() {
    for (const std::uint64_t j : verification::sample_rows(problem_.n, vectors_, 2)) {
      Vector x = zeros(problem_.n);
      x.values[j] = 1;
      x.sizes[j] = 1;
      check_factors(x, fmt::format("column {} of the product of the factors", j));
    }
    Vector signs = zeros(problem_.n);
    for (std::uint64_t j = 0; j < problem_.n; ++j) {
      signs.values[j] = verification::random_bits(5, j) % 2 == 0 ? 1 : -1;
      signs.sizes[j] = 1;
    }
    check_factors(signs, "the signed sum of all columns of the product of the factors");
  }

  void check_factors(const Vector& x, const std::string& place) {
    if (operation_.has_tau()) return check_orthogonal(x, place);
    const std::uint64_t k = std::min(problem_.m, problem_.n);
    const bool is_lu = operation_.family == Family::lu;
    compare(factors_times(x, false), is_lu ? interchanged(original() * x) : original_times(x), k + (is_lu ? 4 : 3), 1,
            0, place);
  }

  // Compares Q R x with A x. The bound is LAPACK's threshold for norms: 30 m u | |A| |x| |.
  void check_orthogonal(const Vector& x, const std::string& place) {
    Vector found = multiplied_by_q(part_of(after(), Part::upper, Diagonal::stored) * x, false);
    const Vector expected = original() * x;
    found.sizes.assign(problem_.m, norm(expected.sizes));
    compare(found, expected, 30 * problem_.m, 1, 0, place);
  }

  // Returns Q x or Q^H x with the reflectors that A holds.
  Vector multiplied_by_q(Vector x, bool is_adjoint) const {
    const std::uint64_t k = problem_.reflectors();
    const T* const vectors = after().data;
    const T* const tau = reinterpret_cast<const T*>((operation_.factors ? result_ : before_).tau.data()) + index_ * k;
    for (std::uint64_t step = 0; step < k; ++step) {
      const std::uint64_t j = is_adjoint ? step : k - 1 - step;
      const auto v = [&](std::uint64_t i) {
        return i == j ? Number(1) : static_cast<Number>(vectors[j * problem_.m + i]);
      };
      const auto factor = static_cast<Number>(tau[j]);
      Number sum = 0;
      for (std::uint64_t i = j; i < problem_.m; ++i) sum += conjugated(v(i)) * x.values[i];
      sum *= is_adjoint ? conjugated(factor) : factor;
      for (std::uint64_t i = j; i < problem_.m; ++i) x.values[i] -= v(i) * sum;
    }
    return x;
  }

  // Compares the results of ormqr and orgqr with products in higher precision. The bound is LAPACK's threshold for
  // norms: 30 s u |c| for each column c, where Q is of order s.
  void check_uses() {
    const bool by_rows = problem_.side == Side::right, has_c = operation_.has_b();
    const std::uint64_t lines = !has_c ? problem_.n : by_rows ? problem_.rows_of_b() : problem_.columns_of_b();
    for (const std::uint64_t line : verification::sample_rows(lines, vectors_, 3)) {
      Vector c = has_c ? line_of_b(before_, line) : zeros(problem_.m);
      if (!has_c) c.values[line] = c.sizes[line] = 1;
      // The transpose of a row times op(Q) is the conjugate of op(Q)^H times the conjugate of the row.
      if (by_rows) conjugate(c);
      Vector expected = multiplied_by_q(c, (problem_.trans != Transpose::no) != by_rows);
      if (by_rows) conjugate(expected);
      Vector found = has_c ? line_of_b(result_, line) : zeros(problem_.m);
      if (!has_c) {
        const Matrix q = matrix(result_);
        std::copy_n(q.data + line * q.ld, q.rows, found.values.begin());
      }
      found.sizes.assign(problem_.m, norm(c.sizes));
      compare(found, expected, 30 * problem_.m, 1, 0,
              fmt::format("{} {} of the product with Q", by_rows ? "row" : "column", line));
    }
  }

  // Checks the solutions of op(A) X = B with residuals R = B - op(A) X. With LAPACK's threshold c = 30 max(m, n) u and
  // the columns a of op(A), |a^H r| <= c |a| | |b| + |op(A)| |x| |. Of solutions of smallest norm, with the rows a,
  // |r| <= c |a| |x| element by element, and the null space of op(A) is known: see random_lapack_data().
  void check_least_squares() {
    const bool is_wide = problem_.is_underdetermined();
    const std::uint64_t threshold = 30 * problem_.order();
    const Matrix a = problem_.trans == Transpose::no ? original() : conjugate_transposed(original());
    const std::uint64_t rows = a.transposed ? problem_.n : problem_.m, columns = problem_.m + problem_.n - rows;
    const std::vector<Real> sizes = norms_of_lines(problem_.m >= problem_.n);
    for (const std::uint64_t line : verification::sample_rows(problem_.nrhs, vectors_, 3)) {
      Vector x = line_of_b(result_, line), residual = line_of_b(before_, line);
      resize(x, columns);
      resize(residual, rows);
      const Vector product = a * x;
      for (std::uint64_t i = 0; i < rows; ++i) {
        residual.values[i] -= product.values[i];
        residual.sizes[i] += product.sizes[i];
      }
      Vector wrong = is_wide ? residual : conjugate_transposed(a) * residual;
      const Real scale = norm(is_wide ? x.sizes : residual.sizes);
      for (std::uint64_t i = 0; i < wrong.values.size(); ++i) wrong.sizes[i] = sizes[i] * scale;
      compare(wrong, zeros(wrong.values.size()), threshold, 1, 0, fmt::format("the residual of column {}", line));
      for (std::uint64_t i = rows; is_wide && i < columns; ++i) {
        const auto factor = static_cast<Real>(repeated_factor(i));
        Vector found{{x.values[i]}, {2 * scale}};
        compare(found, {{factor * x.values[i % rows]}, {0}}, threshold, 1, 0,
                fmt::format("the part of column {} in the null space", line));
      }
    }
  }

  // Returns the norms of the columns of A, or of the rows.
  std::vector<Real> norms_of_lines(bool of_columns) const {
    const Matrix a = original();
    std::vector<Real> norms(of_columns ? a.columns : a.rows);
    for (std::uint64_t j = 0; j < a.columns; ++j)
      for (std::uint64_t i = 0; i < a.rows; ++i) norms[of_columns ? j : i] += std::norm(Number(a.data[j * a.ld + i]));
    for (Real& norm : norms) norm = std::sqrt(norm);
    return norms;
  }

  static Real norm(const std::vector<Real>& sizes) {
    Real squares = 0;
    for (const Real size : sizes) squares += size * size;
    return std::sqrt(squares);
  }

  static void conjugate(Vector& x) {
    for (Number& value : x.values) value = conjugated(value);
  }

  static void resize(Vector& x, std::uint64_t length) {
    x.values.resize(length);
    x.sizes.resize(length);
  }

  static Number conjugated(const Number& x) {
    if constexpr (detail::is_complex_host_type<T>)
      return std::conj(x);
    else
      return x;
  }

  void check_solutions() {
    const bool by_rows = problem_.side == Side::right;
    const std::uint64_t lines = !operation_.has_b() ? problem_.n
                                : by_rows           ? problem_.rows_of_b()
                                                    : problem_.columns_of_b();
    for (const std::uint64_t line : verification::sample_rows(lines, vectors_, 3)) {
      const std::string place = fmt::format("{} {} of the {}", by_rows ? "row" : "column", line,
                                            operation_.multiplies() ? "product" : "residual");
      const Vector x = operation_.has_b() ? line_of_b(result_, line) : column_of_inverse(line);
      Vector b = operation_.has_b() ? line_of_b(before_, line) : zeros(problem_.n);
      if (operation_.inverts()) {
        b = zeros(problem_.n);
        b.values[line] = 1;
        b.sizes[line] = 1;
      }
      if (operation_.multiplies()) {
        compare(operation_.has_diag() ? triangle() * b : original_times(b), x, problem_.n + 4, 1, 0, place);
      } else if (operation_.family == Family::triangular) {
        compare(triangle() * x, b, problem_.n + 4, 1, 1, place);
      } else {
        const bool is_transposed = problem_.trans != Transpose::no;
        const bool interchanges = operation_.has_pivots() && !is_transposed;
        compare(factors_times(x, is_transposed), interchanges ? interchanged(b) : b, problem_.n + 4, 4, 1, place);
      }
    }
  }

  // Returns L U x, U^T L^T P x, L L^H x or U^H U x; for op(A) = A^H, U^H L^H P x.
  Vector factors_times(const Vector& x, bool is_transposed) const {
    if (operation_.family == Family::cholesky) {
      const Matrix factor = part_of(after(), part(), Diagonal::stored);
      return part() == Part::lower ? factor * (conjugate_transposed(factor) * x)
                                   : conjugate_transposed(factor) * (factor * x);
    }
    Matrix lower = part_of(after(), Part::lower, Diagonal::ones),
           upper = part_of(after(), Part::upper, Diagonal::stored);
    lower.columns = upper.rows = std::min(problem_.m, problem_.n);
    lower.conjugated = upper.conjugated = problem_.trans == Transpose::conjugate_transpose;
    return is_transposed ? transposed(upper) * (transposed(lower) * interchanged(x)) : lower * (upper * x);
  }

  // Returns the product with the symmetric or Hermitian matrix of which one triangle is read.
  Vector original_times(const Vector& x) const {
    // A row vector times A is the transpose of A^T times a column: for a Hermitian A, of its conjugate.
    const bool is_hermitian = operation_.is_hermitian(), is_turned = is_hermitian && problem_.side == Side::right;
    Matrix stored = part_of(original(), part(), Diagonal::stored), rest = part_of(original(), part(), Diagonal::zeros);
    stored.conjugated = is_turned;
    rest.conjugated = is_hermitian != is_turned;
    Vector y = stored * x;
    const Vector other = transposed(rest) * x;
    for (std::uint64_t i = 0; i < y.values.size(); ++i) {
      y.values[i] += other.values[i];
      y.sizes[i] += other.sizes[i];
    }
    return y;
  }

  Matrix triangle() const {
    Matrix a = part_of(original(), part(), problem_.diag == Diag::unit ? Diagonal::ones : Diagonal::stored);
    a.transposed = (problem_.trans != Transpose::no) != (problem_.side == Side::right);
    a.conjugated = problem_.trans == Transpose::conjugate_transpose;
    return a;
  }

  Part part() const { return problem_.uplo == Uplo::lower ? Part::lower : Part::upper; }

  Matrix matrix(const LapackData& data) const {
    const auto* const first = reinterpret_cast<const T*>(data.a.data());
    return {first + index_ * problem_.m * problem_.n, problem_.m, problem_.n, problem_.m};
  }
  Matrix original() const { return matrix(before_); }
  Matrix after() const { return matrix(operation_.factors ? result_ : before_); }

  static Matrix part_of(Matrix matrix, Part part, Diagonal diagonal) {
    matrix.part = part;
    matrix.diagonal = diagonal;
    return matrix;
  }

  static Vector zeros(std::uint64_t length) { return {std::vector<Number>(length), std::vector<Real>(length)}; }

  // Returns a column of the inverse that is stored in one triangle of A.
  Vector column_of_inverse(std::uint64_t column) const {
    const Matrix inverse = matrix(result_);
    Vector result = zeros(problem_.n);
    for (std::uint64_t i = 0; i < problem_.n; ++i) {
      const bool is_stored = part() == Part::lower ? i >= column : i <= column;
      Number element = static_cast<Number>(is_stored ? inverse.data[column * inverse.ld + i]
                                                     : inverse.data[i * inverse.ld + column]);
      if constexpr (detail::is_complex_host_type<T>)
        if (!is_stored) element = std::conj(element);
      result.values[i] = element;
      result.sizes[i] = std::abs(element);
    }
    return result;
  }

  // Returns a column of B, or a row if op(A) is on the right.
  Vector line_of_b(const LapackData& data, std::uint64_t line) const {
    const std::uint64_t rows = problem_.rows_of_b(), columns = problem_.columns_of_b();
    const bool by_rows = problem_.side == Side::right;
    const T* const b = reinterpret_cast<const T*>(data.b.data()) + index_ * rows * columns;
    Vector result = zeros(problem_.order());
    for (std::uint64_t i = 0; i < problem_.order(); ++i) {
      result.values[i] = static_cast<Number>(by_rows ? b[i * rows + line] : b[line * rows + i]);
      result.sizes[i] = std::abs(result.values[i]);
    }
    return result;
  }

  // Turns the interchanges into the order of the rows.
  bool read_pivots() {
    const std::uint64_t count = problem_.pivots();
    const std::int64_t* const pivots =
        (operation_.factors ? result_ : before_).pivots.data() + static_cast<std::ptrdiff_t>(index_ * count);
    order_.resize(problem_.m);
    std::iota(order_.begin(), order_.end(), 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::uint64_t>(pivots[i]);
      if (row < i || row >= problem_.m) {
        fail(std::numeric_limits<double>::infinity(),
             fmt::format("pivot {} is {}, expected a row from {} to {}", i, pivots[i], i, problem_.m - 1));
        return false;
      }
      std::swap(order_[i], order_[row]);
    }
    return true;
  }

  Vector interchanged(const Vector& x) const {
    Vector result = zeros(x.values.size());
    for (std::uint64_t i = 0; i < order_.size(); ++i) {
      result.values[i] = x.values[order_[i]];
      result.sizes[i] = x.sizes[order_[i]];
    }
    return result;
  }

  // Requires |found - expected| <= gamma(terms) (of_found * sizes + of_expected * |expected|), with the sizes of
  // `found`.
  void compare(const Vector& found, const Vector& expected, std::uint64_t terms, Real of_found, Real of_expected,
               const std::string& place) {
    const Real gamma = verification::substitution_factor<T>(terms - 4, 4, 20);  // for complex numbers: that of LU
    for (std::uint64_t i = 0; i < found.values.size(); ++i) {
      const Real error = std::abs(found.values[i] - expected.values[i]);
      const Real bound = gamma * (of_found * found.sizes[i] + of_expected * std::abs(expected.values[i]));
      const auto ratio = error == 0 ? 0 : static_cast<double>(error / bound);
      if (ratio <= verdict_.error_over_bound) continue;
      if (ratio <= 1)
        verdict_.error_over_bound = ratio;
      else
        fail(ratio, fmt::format("element {} of {} is {} times its bound", i, place, ratio));
    }
  }

  void fail(double ratio, const std::string& message) {
    if (verdict_.error_over_bound > ratio) return;
    verdict_.error_over_bound = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    verdict_.wrong = problem_.batch == 1 ? message : fmt::format("problem {}: {}", index_, message);
  }

  const LapackProblem& problem_;
  const LapackOperation& operation_;
  const LapackData& before_;
  const LapackData& result_;
  std::uint64_t vectors_ = 0;
  std::uint64_t index_ = 0;  // of the problem in the batch
  std::vector<std::uint64_t> order_;
  Verdict verdict_;
};

}  // namespace

Verdict check_lapack(const LapackProblem& problem, const LapackData& before, const LapackData& result) {
  if (problem.type == DataType::f64) return Check<double>(problem, before, result)();
  if (problem.type == DataType::c64) return Check<std::complex<float>>(problem, before, result)();
  if (problem.type == DataType::c128) return Check<std::complex<double>>(problem, before, result)();
  return Check<float>(problem, before, result)();
}

}  // namespace tilewright::tool
