// Also compiles without OpenMP; its pragmas are ignored then.
#include "compare/openmp_product.hpp"

#include <algorithm>
#include <limits>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tilewright::tool {
namespace {

template <class Index>
struct CsrView {
  std::int64_t rows;
  const Index *offsets, *indices;
};

template <class T, class Index>
void multiply_vector(const CsrView<Index>& a, const T* values, const T* x, T* y) {
#pragma omp parallel for schedule(guided)
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T sum{0};
    for (Index e = a.offsets[i]; e < a.offsets[i + 1]; ++e) sum += values[e] * x[a.indices[e]];
    y[i] = sum;
  }
}

template <class T, class Index>
void multiply_columns(const CsrView<Index>& a, const T* values, std::int64_t n, const T* b, T* c) {
#pragma omp parallel for schedule(guided)
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T* const line = c + i * n;
    std::fill(line, line + n, T{0});
    for (Index e = a.offsets[i]; e < a.offsets[i + 1]; ++e) {
      const T value = values[e];
      const T* const from = b + static_cast<std::int64_t>(a.indices[e]) * n;
#pragma omp simd
      for (std::int64_t j = 0; j < n; ++j) line[j] += value * from[j];
    }
  }
}

template <class T, class Index>
void multiply_rows(const CsrView<Index>& a, const T* values, std::uint64_t n, const T* b, T* c) {
  if (n == 1)
    multiply_vector(a, values, b, c);
  else
    multiply_columns(a, values, static_cast<std::int64_t>(n), b, c);
}

}  // namespace

unsigned openmp_threads() {
#ifdef _OPENMP
  return static_cast<unsigned>(omp_get_max_threads());
#else
  return 0;
#endif
}

template <class T>
OpenmpProduct<T>::OpenmpProduct(const verification::HostCsr<T>& a, std::uint64_t n, const T* b, T* c)
    : a_(a), n_(n), b_(b), c_(c) {
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
  if (openmp_threads() == 0 || a.nonzeros() > most || a.columns > most) return;
  offsets_.assign(a.offsets.begin(), a.offsets.end());
  indices_.assign(a.indices.begin(), a.indices.end());
}

template <class T>
void OpenmpProduct<T>::multiply() const {
  const auto rows = static_cast<std::int64_t>(a_.rows);
  if (offsets_.empty())
    multiply_rows<T, std::int64_t>({rows, a_.offsets.data(), a_.indices.data()}, a_.values.data(), n_, b_, c_);
  else
    multiply_rows<T, std::int32_t>({rows, offsets_.data(), indices_.data()}, a_.values.data(), n_, b_, c_);
}

template class OpenmpProduct<float>;
template class OpenmpProduct<double>;

}  // namespace tilewright::tool
