// Sparse times dense on the host: a plain loop to compare speed with, and the reference of a result.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// A sparse matrix by rows, counted from 0. Elements of a row that share a column are summed.
template <class T>
struct HostCsr {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::int64_t> offsets;  ///< one more than there are rows
  std::vector<std::int64_t> indices;  ///< the column of each element
  std::vector<T> values;

  std::uint64_t nonzeros() const { return values.size(); }
};

/// C = alpha A B + beta C with n columns, B and C densely stored, C row by row.
template <class T>
struct HostSpmm {
  const HostCsr<T>& a;
  std::uint64_t n = 0;
  const T* b = nullptr;
  Layout layout_b = Layout::row_major;
  double alpha = 1;
  double beta = 0;
  const T* c = nullptr;  ///< before the call; not read where beta is 0
};

/// The element of a result that is worst.
struct SpmmComparison {
  double error_over_bound = 0;  ///< infinite where it is NaN or infinite and should not be
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  double result = 0;
  double expected = 0;

  bool passed() const { return error_over_bound <= 1; }
};

/// Compares every element with a reference in higher precision, within the bound of its row's length.
template <class T>
SpmmComparison compare(const HostSpmm<T>& call, const T* result);

/// C = A B with a row-major B, as a program without a library would do it: threads that share the rows.
template <class T>
void multiply_on_host(const HostCsr<T>& a, std::uint64_t n, const T* b, T* c);

}  // namespace tilewright::verification
