// The properties of a problem that the conversion of its operands needs.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tilewright/gemm_problem.hpp"
#include "tilewright/matrix_add.hpp"
#include "tilewright/scalar.hpp"
#include "tilewright/spmm.hpp"
#include "tilewright/strassen.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::c {

struct Form {
  bool is_complex = false;  ///< a scalar is two numbers
  std::uint64_t count = 1;  ///< problems in the batch
  std::vector<Scalar> alphas{}, betas{};
};

/// Problems that are real for every type that they accept. Their scalars are one number, also with a type that they
/// refuse. See REAL_SCALARS in tools/c_api_interface.py.
template <class Problem>
inline constexpr bool is_real = std::is_same_v<Problem, MatrixAddProblem> || std::is_same_v<Problem, SpmmProblem> ||
                                std::is_same_v<Problem, TransposeProblem>;

/// Returns the form of a product by an algorithm for real types.
inline Form real_form(const GemmProblem& problem) { return {.count = problem.batch.count}; }

template <class Problem>
Form form_of(const Problem& problem) {
  if constexpr (std::is_same_v<Problem, StrassenProblem>)
    return real_form(problem.product);
  else if constexpr (is_real<Problem>)
    return {.count = problem.batch.count};
  else
    return {.is_complex = is_complex(problem.type), .count = problem.batch.count};
}

inline Scalar scalar(const double* value, double standard, bool is_complex) {
  if (value == nullptr) return standard;
  return is_complex ? Scalar(value[0], value[1]) : Scalar(value[0]);
}

/// Returns the scalars of a batch, which `kept` holds.
inline std::span<const Scalar> scalars(const double* values, const Form& form, std::vector<Scalar>& kept) {
  if (values == nullptr) return {};
  const std::uint64_t step = form.is_complex ? 2 : 1;
  kept.reserve(form.count);
  for (std::uint64_t i = 0; i < form.count; ++i) kept.push_back(scalar(values + i * step, 0, form.is_complex));
  return kept;
}

inline std::span<const std::uint64_t> numbers(const std::uint64_t* values, const Form& form) {
  if (values == nullptr) return {};
  return {values, form.count};
}

}  // namespace tilewright::c
