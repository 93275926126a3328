#include "verification/strassen/strassen_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verification/common/row_sample.hpp"
#include "verification/gemm/gemm_reference.hpp"

namespace tilewright::verification {
namespace {

constexpr double max_products = 0x1p28;
constexpr std::uint64_t max_rows = 64, fewest_rows = 8;

std::uint64_t row_count(const GemmProblem& p) {
  const double of_row = static_cast<double>(p.n) * static_cast<double>(std::max<std::uint64_t>(p.k, 1));
  if (of_row * static_cast<double>(p.m) <= max_products) return p.m;
  return std::clamp(static_cast<std::uint64_t>(max_products / of_row), fewest_rows, max_rows);
}

template <class T>
double norm(const MatrixView<T>& matrix, std::uint64_t rows, std::uint64_t columns) {
  T most = 0;
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < columns; ++j) most = std::max(most, std::abs(matrix(i, j)));
  return static_cast<double>(most);
}

template <class T>
double bound_of(const HostGemm<T>& call, double factor, unsigned levels) {
  const GemmProblem& p = call.problem;
  const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  double bound = static_cast<double>(p.k) * static_cast<double>(std::numeric_limits<T>::min());
  if (call.reads_product())
    bound += factor * u * std::abs(call.alpha.real()) * norm(view_a(call), p.m, p.k) * norm(view_b(call), p.k, p.n);
  if (call.reads_c()) bound += (levels + 3) * u * std::abs(call.beta.real()) * norm(view_c(p, call.c), p.m, p.n);
  return bound;
}

}  // namespace

double strassen_random_factor(std::uint64_t k, unsigned levels) {
  constexpr double sure = 4;  // standard deviations
  const double k0 = std::ceil(std::ldexp(static_cast<double>(k), -static_cast<int>(levels)));
  return std::pow(18.0, levels) * k0 * (sure * std::sqrt(k0) + 6);
}

template <class T>
StrassenCheck<T>::StrassenCheck(const HostGemm<T>& call, double factor, unsigned levels)
    : problem_(call.problem),
      bound_(bound_of(call, factor, levels)),
      rows_(row_count(problem_) == problem_.m ? all_rows(problem_.m)
                                              : sample_rows(problem_.m, row_count(problem_), 2017)),
      expected_(gemm_reference(call, rows_, ColumnGroups(problem_.n))) {
  for (Expected<T>& expected : expected_) expected.bound = static_cast<Wide<T>>(bound_);
}

template <class T>
Comparison StrassenCheck<T>::operator()(const T* c) const {
  const MatrixView<T> view = view_c(problem_, c);
  Comparison worst;
  for (std::uint64_t r = 0; r < rows_.size(); ++r)
    for (std::uint64_t j = 0; j < problem_.n; ++j) {
      const Expected<T>& expected = expected_[r * problem_.n + j];
      const Wide<T> result = static_cast<Wide<T>>(view(rows_[r], j));
      ++worst.compared;
      // NaN and infinities may spread to other elements.
      if (!std::isfinite(expected.value) && !std::isfinite(result)) continue;
      const double ratio = error_over_bound(expected, result);
      if (ratio <= worst.error_over_bound) continue;
      worst.error_over_bound = ratio;
      worst.row = rows_[r];
      worst.column = j;
      worst.result = static_cast<double>(result);
      worst.expected = static_cast<double>(expected.value);
    }
  return worst;
}

template class StrassenCheck<float>;
template class StrassenCheck<double>;

}  // namespace tilewright::verification
