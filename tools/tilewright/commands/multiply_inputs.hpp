// The matrices of `multiply`, and the product that they and the options make.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "commands/epilogue_inputs.hpp"
#include "commands/multiply_options.hpp"
#include "files/matrix_file.hpp"
#include "kernels/host_type.hpp"

namespace tilewright::tool {

struct MultiplyInputs {
  NpyMatrix a;
  NpyMatrix b;
  std::optional<NpyMatrix> c;
  EpilogueInputs epilogue;
};

/// Throws FileError.
MultiplyInputs read_multiply_inputs(const MultiplyOptions& options);

/// Throws UsageError for types that do not go together, std::runtime_error for sizes, Error for what gemm() refuses.
GemmProblem multiply_problem(const MultiplyOptions& options, const MultiplyInputs& inputs);

/// The elements of A or B as the product takes them.
template <class T>
std::vector<T> input_of(const NpyMatrix& matrix, Transpose transpose, bool conjugate) {
  std::vector<T> elements = elements_as<T>(matrix);
  if constexpr (detail::is_complex_host_type<T>)
    if (conjugate && transpose == Transpose::no)
      for (T& element : elements) element = std::conj(element);
  return elements;
}

/// A matrix like C in C order; empty where there is none.
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

/// C before the call.
template <class T>
std::vector<T> initial_c(const GemmProblem& problem, const std::optional<NpyMatrix>& c) {
  return c ? in_c_order<T>(problem, c) : std::vector<T>(static_cast<std::size_t>(problem.m * problem.n));
}

}  // namespace tilewright::tool
