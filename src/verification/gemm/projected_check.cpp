#include "verification/gemm/projected_check.hpp"

#include <cmath>

#include "kernels/host_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::verification {
namespace {

template <class T>
std::vector<double> times(const MatrixView<T>& matrix, std::uint64_t rows, const std::vector<double>& x) {
  std::vector<double> y(rows);
  // Visits the elements in memory order.
  if (matrix.column_stride == 1) {
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < x.size(); ++j) y[i] += static_cast<double>(matrix(i, j)) * x[j];
  } else {
    for (std::uint64_t j = 0; j < x.size(); ++j)
      for (std::uint64_t i = 0; i < rows; ++i) y[i] += static_cast<double>(matrix(i, j)) * x[j];
  }
  return y;
}

// Returns the possible error of each row of C x caused by rounding when C was stored. It is 0 if C's type has enough
// bits for every sum.
template <class C>
std::vector<double> storage_errors(const MatrixView<C>& c, std::uint64_t rows, const std::vector<double>& x) {
  std::vector<double> lost(rows);
  if constexpr (detail::stored_in_fewer_bits<C>) {
    const double roundoff = detail::element_type(detail::HostType<C>::type).roundoff;
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < x.size(); ++j)
        if (const double size = std::abs(static_cast<double>(c(i, j))); size >= 1 / roundoff && std::isfinite(size))
          lost[i] += size * roundoff * std::abs(x[j]);
  }
  return lost;
}

}  // namespace

template <class T, class C>
ProjectedCheck<T, C>::ProjectedCheck(const HostGemm<T, C>& call) : problem_(call.problem), x_(problem_.n) {
  constexpr std::uint64_t seed = 5;
  for (std::uint64_t j = 0; j < problem_.n; ++j) x_[j] = static_cast<double>(random_bits(seed, j) % 1023) - 511;
  expected_ = times(view_a(call), problem_.m, times(view_b(call), problem_.k, x_));
}

template <class T, class C>
std::string ProjectedCheck<T, C>::operator()(const C* c) const {
  const MatrixView<C> view = view_c(problem_, c);
  const std::vector<double> found = times(view, problem_.m, x_);
  const std::vector<double> lost = storage_errors(view, problem_.m, x_);
  for (std::uint64_t row = 0; row < problem_.m; ++row)
    if (!(std::abs(found[row] - expected_[row]) <= lost[row]))
      return "row " + std::to_string(row) + " of C times a random vector is " + detail::general_text(found[row], 17) +
             ", expected " + detail::general_text(expected_[row], 17);
  return {};
}

#define TILEWRIGHT_INSTANTIATE(T, C) template class ProjectedCheck<T, C>;
TILEWRIGHT_FOR_PRODUCT_TYPES(TILEWRIGHT_INSTANTIATE)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::verification
