#include "verification/gemm/gemm_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>

#include "gemm/epilogue.hpp"
#include "verification/common/parallel.hpp"
#include "verification/common/row_sample.hpp"
#include "verification/gemm/gemm_reference.hpp"

namespace tilewright::verification {
namespace {

constexpr std::uint64_t seed = 2017;
constexpr double max_expectations = 1 << 23;
constexpr std::uint64_t max_rows = 64;
constexpr std::uint64_t fewest_rows = 2;

/// Multiplications that a reference does in about a second.
template <class T>
constexpr double max_products = std::is_same_v<Wide<T>, long double> ? 0x1p28 : 0x1p30;

template <class T>
std::uint64_t choose_width(const GemmProblem& problem) {
  const double elements = static_cast<double>(problem.m) * static_cast<double>(problem.n);
  const double products = elements * static_cast<double>(problem.k);
  std::uint64_t width = 1;
  const auto too_much = [&](double work, double most) { return work / static_cast<double>(width) > most; };
  while (width < problem.n && (too_much(products, max_products<T>) || too_much(elements, max_expectations))) {
    width *= 2;
  }
  return width;
}

template <class T>
std::uint64_t choose_row_count(const GemmProblem& problem) {
  const double products = static_cast<double>(problem.n) * static_cast<double>(std::max<std::uint64_t>(problem.k, 1));
  const double affordable = std::min(max_products<T> / products, max_expectations / static_cast<double>(problem.n));
  return std::clamp(static_cast<std::uint64_t>(affordable), fewest_rows, max_rows);
}

/// Makes all non-finite values NaN: whether infinities in a group cancel depends on the order of summation.
template <class Real>
Real without_kind(Real value) {
  return std::isfinite(value) ? value : std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace

template <class T, class C>
GemmCheck<T, C>::GemmCheck(const HostGemm<T, C>& call, Tolerance tolerance) : problem_(call.problem) {
  const std::uint64_t width = choose_width<T>(problem_);
  // An activation of a sum differs from the sum of activations, so groups cannot be compared.
  if (width == 1 ||
      !(detail::has_epilogue(problem_.epilogue) || detail::become_floats(problem_.type, detail::type_of_c(problem_))))
    parts_.push_back({all_rows(problem_.m), ColumnGroups(problem_.n, width, seed), {}});
  if (width > 1) {
    parts_.push_back({sample_rows(problem_.m, choose_row_count<T>(problem_), seed), ColumnGroups(problem_.n), {}});
  }
  for (Part& part : parts_) {
    part.expected = gemm_reference(call, part.rows, part.groups, tolerance);
    if (part.groups.width() == 1) continue;
    for (Expected<C>& expected : part.expected) expected.value = without_kind(expected.value);
    if constexpr (detail::stored_in_fewer_bits<C> && !std::is_integral_v<C>) note_stored_overflow(part, call);
  }
}

// Notes groups that may be infinite because an element may round to infinity. By Cauchy and Schwarz, the sum of an
// element and the sum of its magnitudes, which bounds rounding errors, are at most the product of the norms of A's row
// and B's column. The magnitudes of a whole group would be a far looser bound.
template <class T, class C>
void GemmCheck<T, C>::note_stored_overflow(Part& part, const HostGemm<T, C>& call) {
  const GemmProblem& p = call.problem;
  const auto norm = [&](const MatrixView<T>& view, std::uint64_t line, bool is_row) {
    double sum = 0;
    for (std::uint64_t l = 0; l < p.k; ++l) {
      const auto value = static_cast<double>(is_row ? view(line, l) : view(l, line));
      sum += value * value;
    }
    return std::sqrt(sum);
  };
  const auto slack = static_cast<double>(1 + gamma_factor<detail::Accumulator<T>>(p.k + 2));
  const std::uint64_t count = part.groups.count();
  std::vector<double> of_groups(count);
  if (call.reads_product())
    for (std::uint64_t j = 0; j < p.n; ++j) {
      double& largest = of_groups[j / part.groups.width()];
      if (const double of_column = norm(view_b(call), j, false); !(of_column <= largest)) largest = of_column;
    }
  for (std::uint64_t r = 0; r < part.rows.size(); ++r) {
    const double of_row = call.reads_product() ? std::abs(call.alpha) * norm(view_a(call), part.rows[r], true) : 0;
    for (std::uint64_t g = 0; g < count; ++g) {
      double of_c = 0;
      const std::uint64_t first = part.groups.first_column(g);
      for (std::uint64_t j = first; call.reads_c() && j < std::min(p.n, first + part.groups.width()); ++j)
        of_c = std::max(of_c, std::abs(call.beta.real() * static_cast<double>(view_c(p, call.c)(part.rows[r], j))));
      const bool stays_finite =
          slack * (of_row * of_groups[g] + of_c) < static_cast<double>(std::numeric_limits<C>::max());
      if (!stays_finite) part.expected[r * count + g].may_overflow = true;
    }
  }
}

template <class T, class C>
Comparison GemmCheck<T, C>::compare(const Part& part, const MatrixView<C>& c, std::uint64_t first, std::uint64_t last) {
  Comparison worst;
  worst.error_over_bound = -1;  // so that the first comparison is stored even if it is right
  const std::uint64_t count = part.groups.count();
  for (std::uint64_t r = first; r < last; ++r) {
    for (std::uint64_t g = 0; g < count; ++g) {
      const auto element = [&](std::uint64_t column) { return c(part.rows[r], column); };
      auto result = part.groups.template signed_sum<Wide<C>>(g, element);
      if (part.groups.width() > 1) result = without_kind(result);
      const Expected<C>& expected = part.expected[r * count + g];
      const double ratio = error_over_bound(expected, result);
      ++worst.compared;
      if (ratio <= worst.error_over_bound) continue;
      worst.error_over_bound = ratio;
      worst.row = part.rows[r];
      worst.column = part.groups.first_column(g);
      worst.width = part.groups.width();
      worst.result = static_cast<double>(result);
      worst.expected = static_cast<double>(expected.value);
    }
  }
  return worst;
}

template <class T, class C>
Comparison GemmCheck<T, C>::operator()(const C* c) const {
  constexpr std::uint64_t rows_per_task = 64;
  const MatrixView<C> view = view_c(problem_, c);
  Comparison worst;
  std::mutex mutex;
  for (const Part& part : parts_) {
    const std::uint64_t rows = part.rows.size();
    parallel_for((rows + rows_per_task - 1) / rows_per_task, [&](std::uint64_t task) {
      const std::uint64_t first = task * rows_per_task;
      Comparison found = compare(part, view, first, std::min(first + rows_per_task, rows));
      const std::lock_guard lock(mutex);
      found.compared += worst.compared;
      if (found.error_over_bound > worst.error_over_bound) {
        worst = found;
      } else {
        worst.compared = found.compared;
      }
    });
  }
  return worst;
}

#define TILEWRIGHT_INSTANTIATE(T, C) template class GemmCheck<T, C>;
TILEWRIGHT_FOR_PRODUCT_TYPES(TILEWRIGHT_INSTANTIATE)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::verification
