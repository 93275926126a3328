// The product that a variant computes: a normalized problem, of whose C possibly only one triangle is wanted.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/operands/wanted_triangle.hpp"
#include "kernels/variant.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// Converts from a problem, whose C is then wanted as a whole. Only plans of rank-k updates set `triangle`: records and
/// tuning see the problem alone.
struct CoreProduct : GemmProblem {
  CoreProduct() = default;
  CoreProduct(const GemmProblem& problem, std::optional<WantedTriangle> wanted = {})
      : GemmProblem(problem), triangle(wanted) {}

  std::optional<WantedTriangle> triangle{};
};

template <>
struct VariantInput<GemmProblem> {
  using Type = CoreProduct;
};

}  // namespace tilewright::detail
