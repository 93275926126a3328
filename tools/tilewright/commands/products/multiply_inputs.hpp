// The matrices of `multiply`, and the product that they and the options define.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "commands/products/epilogue_inputs.hpp"
#include "commands/products/multiply_options.hpp"
#include "files/matrix_file.hpp"
#include "kernels/host_type.hpp"

namespace tilewright::tool {

struct MultiplyInputs {
  NpyMatrix a;
  NpyMatrix b;
  std::optional<NpyMatrix> c;
  EpilogueInputs epilogue;
};

/// Reads the matrices. Throws FileError.
MultiplyInputs read_multiply_inputs(const MultiplyOptions& options);

/// Returns the product. Throws UsageError for incompatible types, std::runtime_error for sizes, and Error for problems
/// that gemm() rejects.
GemmProblem multiply_problem(const MultiplyOptions& options, const MultiplyInputs& inputs);

/// Returns the elements of A or B, converted and if necessary conjugated for the product.
template <class T>
std::vector<T> input_of(const NpyMatrix& matrix, Transpose transpose, bool conjugate) {
  std::vector<T> elements = elements_as<T>(matrix);
  if constexpr (detail::is_complex_host_type<T>)
    if (conjugate && transpose == Transpose::no)
      for (T& element : elements) element = std::conj(element);
  return elements;
}

/// Returns a matrix of C's sizes in C order; empty if there is none.
template <class T>
std::vector<T> in_c_order(const GemmProblem& problem, const std::optional<NpyMatrix>& c) {
  if (!c) return {};
  std::vector<T> stored = elements_as<T>(*c);
  if (!c->header.fortran_order) return stored;
  std::vector<T> elements(stored.size());
  for (std::size_t i = 0; i < problem.m; ++i) {
    for (std::size_t j = 0; j < problem.n; ++j) elements[i * problem.n + j] = stored[j * problem.m + i];
  }
  return elements;
}

/// Returns C before the call: the matrix of --c-in, otherwise zeros.
template <class T>
std::vector<T> initial_c(const GemmProblem& problem, const std::optional<NpyMatrix>& c) {
  return c ? in_c_order<T>(problem, c) : std::vector<T>(static_cast<std::size_t>(problem.m * problem.n));
}

}  // namespace tilewright::tool
