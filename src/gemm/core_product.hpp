// The product that a variant computes: a normalized problem, possibly with a triangle of C that alone is wanted, or
// with a range of k for each tile.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/operands/k_range.hpp"
#include "kernels/operands/wanted_triangle.hpp"
#include "kernels/variant.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// Converts from a problem, whose C is then wanted as a whole, with sums over all of k. Only plans of rank-k updates
/// set `triangle`, and only those of triangular products set `k_range`: records and tuning see the problem alone.
struct CoreProduct : GemmProblem {
  CoreProduct() = default;
  CoreProduct(const GemmProblem& problem, std::optional<WantedTriangle> wanted = {}, std::optional<KRange> range = {})
      : GemmProblem(problem), triangle(wanted), k_range(range) {}

  std::optional<WantedTriangle> triangle{};
  std::optional<KRange> k_range{};
};

template <>
struct VariantInput<GemmProblem> {
  using Type = CoreProduct;
};

}  // namespace tilewright::detail
