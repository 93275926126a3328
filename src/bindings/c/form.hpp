// The properties of a problem that the conversion of its operands needs.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/matrix.hpp"
#include "tilewright/scalar.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::c {

struct Form {
  bool is_complex = false;  ///< a scalar is two numbers
  std::uint64_t count = 1;  ///< problems in the batch
  std::vector<Scalar> alphas{}, betas{};
};

inline bool has_complex_scalars(DataType type) { return is_complex(type); }
inline bool has_complex_scalars(const Element& /*type*/) { return false; }

template <class Problem>
Form form_of(const Problem& problem) {
  if constexpr (requires { problem.product; })
    return form_of(problem.product);
  else
    return {.is_complex = has_complex_scalars(problem.type), .count = problem.batch.count};
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
