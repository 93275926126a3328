// Sparse times dense on the host: a plain loop as a speed reference, and a check of results.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// A CSR matrix with 0-based indices. Elements of a row with the same column are added.
template <class T>
struct HostCsr {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::int64_t> offsets;  ///< rows + 1 elements
  std::vector<std::int64_t> indices;  ///< column of each element
  std::vector<T> values;

  std::uint64_t nonzeros() const { return values.size(); }
};

/// The call C = alpha A B + beta C with n columns, B and C dense, C row-major.
template <class T>
struct HostSpmm {
  const HostCsr<T>& a;
  std::uint64_t n = 0;
  const T* b = nullptr;
  Layout layout_b = Layout::row_major;
  double alpha = 1;
  double beta = 0;
  const T* c = nullptr;  ///< before the call; not read if beta is 0
};

/// The worst element of a result.
struct SpmmComparison {
  double error_over_bound = 0;  ///< infinite if the element is NaN or infinite but should not be
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  double result = 0;
  double expected = 0;

  bool passed() const { return error_over_bound <= 1; }
};

/// Compares each element with a reference in higher precision. The bound follows from the row's length.
template <class T>
SpmmComparison compare(const HostSpmm<T>& call, const T* result);

/// Computes C = A B with a row-major B in threads that share the rows, as a program without a library would.
template <class T>
void multiply_on_host(const HostCsr<T>& a, std::uint64_t n, const T* b, T* c);

}  // namespace tilewright::verification
