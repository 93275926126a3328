#include "verification/spmm/host_spmm.hpp"

#include <algorithm>
#include <cmath>

#include "verification/common/error_bound.hpp"
#include "verification/common/parallel.hpp"

namespace tilewright::verification {
namespace {

/// Returns the number of parts of the rows. More than threads, because rows differ in length.
std::uint64_t max_parts() { return std::uint64_t{16} * worker_count(); }

/// Calls body(part, first, last) for parts of the rows in up to `threads` threads.
template <class Body>
void for_rows(std::uint64_t rows, unsigned threads, const Body& body) {
  const std::uint64_t parts = std::min(rows, max_parts());
  parallel_for(
      parts, [&](std::uint64_t part) { body(part, rows * part / parts, rows * (part + 1) / parts); }, threads);
}

template <class T>
class RowReference {
 public:
  explicit RowReference(const HostSpmm<T>& call)
      : call_(call),
        alpha_(static_cast<T>(call.alpha)),
        beta_(static_cast<T>(call.beta)),
        products_(call.n),
        magnitudes_(call.n) {}

  void compare(std::uint64_t row, const T* result, SpmmComparison& worst) {
    const auto first = static_cast<std::size_t>(call_.a.offsets[row]);
    const auto last = static_cast<std::size_t>(call_.a.offsets[row + 1]);
    add_products(first, last);
    for (std::uint64_t j = 0; j < call_.n; ++j) {
      Sums<T> sum{.product = products_[j], .product_magnitude = magnitudes_[j]};
      if (beta_ != 0) sum.c = static_cast<Real>(call_.c[row * call_.n + j]);
      sum.c_magnitude = std::abs(sum.c);
      const Expected<T> expected = expect(sum, alpha_, beta_, last - first, 1, Tolerance::rounding);
      const auto found = static_cast<Real>(result[row * call_.n + j]);
      const double error = error_over_bound(expected, found);
      if (error > worst.error_over_bound)
        worst = {error, row, j, static_cast<double>(found), static_cast<double>(expected.value)};
    }
  }

 private:
  using Real = Wide<T>;

  void add_products(std::size_t first, std::size_t last) {
    std::fill(products_.begin(), products_.end(), Real{0});
    std::fill(magnitudes_.begin(), magnitudes_.end(), Real{0});
    if (alpha_ == 0) return;  // A and B must not be read
    const bool by_rows = call_.layout_b == Layout::row_major;
    for (std::size_t e = first; e < last; ++e) {
      const auto p = static_cast<std::uint64_t>(call_.a.indices[e]);
      const T* const b = call_.b + (by_rows ? p * call_.n : p);
      const std::uint64_t step = by_rows ? 1 : call_.a.columns;
      const auto a = static_cast<Real>(call_.a.values[e]);
      for (std::uint64_t j = 0; j < call_.n; ++j) {
        const Real term = a * static_cast<Real>(b[j * step]);
        products_[j] += term;
        magnitudes_[j] += std::abs(term);
      }
    }
  }

  const HostSpmm<T>& call_;
  T alpha_, beta_;
  std::vector<Real> products_, magnitudes_;  // of one row; separate arrays, so that the compiler can vectorize
};

}  // namespace

template <class T>
SpmmComparison compare(const HostSpmm<T>& call, const T* result) {
  std::vector<SpmmComparison> worst(max_parts());
  for_rows(call.a.rows, worker_count(), [&](std::uint64_t part, std::uint64_t first, std::uint64_t last) {
    RowReference<T> reference(call);
    for (std::uint64_t row = first; row < last; ++row) reference.compare(row, result, worst[part]);
  });
  return *std::max_element(worst.begin(), worst.end(), [](const SpmmComparison& left, const SpmmComparison& right) {
    return left.error_over_bound < right.error_over_bound;
  });
}

template <class T>
void multiply_on_host(const HostCsr<T>& a, std::uint64_t n, const T* b, T* c) {
  const auto multiply_row = [&](std::uint64_t row) {
    const auto first = static_cast<std::size_t>(a.offsets[row]), last = static_cast<std::size_t>(a.offsets[row + 1]);
    if (n == 1) {
      T sum{0};
      for (std::size_t e = first; e < last; ++e) sum += a.values[e] * b[a.indices[e]];
      c[row] = sum;
      return;
    }
    T* const sums = c + row * n;
    std::fill(sums, sums + n, T{0});
    for (std::size_t e = first; e < last; ++e) {
      const T value = a.values[e];
      const T* const line = b + static_cast<std::uint64_t>(a.indices[e]) * n;
      for (std::uint64_t j = 0; j < n; ++j) sums[j] += value * line[j];
    }
  };
  constexpr std::uint64_t worth_threads = 100000;  // products that take longer than starting a thread
  for_rows(a.rows, a.nonzeros() * n < worth_threads ? 1 : worker_count(),
           [&](std::uint64_t, std::uint64_t first, std::uint64_t last) {
             for (std::uint64_t row = first; row < last; ++row) multiply_row(row);
           });
}

template SpmmComparison compare(const HostSpmm<float>&, const float*);
template SpmmComparison compare(const HostSpmm<double>&, const double*);
template void multiply_on_host(const HostCsr<float>&, std::uint64_t, const float*, float*);
template void multiply_on_host(const HostCsr<double>&, std::uint64_t, const double*, double*);

}  // namespace tilewright::verification
