// The product that a variant computes: a normalized problem, possibly with a triangle of C that alone is wanted, with a
// range of k for each tile, or with a symmetric factor.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/operands/k_range.hpp"
#include "kernels/operands/symmetric_factor.hpp"
#include "kernels/operands/wanted_triangle.hpp"
#include "kernels/variant.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// The factors of a product are complex. Its type, n, leading dimensions, strides and offsets are those of reals, m
/// counts elements, and k what the configuration's ComplexForm says. Kernels multiply B or the product by a factor of
/// the call: gemm_slots::folded_re and folded_im.
struct ComplexFactors {
  bool conjugated_a = false, conjugated_b = false;

  friend bool operator==(const ComplexFactors&, const ComplexFactors&) = default;
};

/// Converts from a problem, whose C is then wanted as a whole, with sums over all of k. Only plans of rank-k updates
/// set `triangle`, only those of triangular products set `k_range`, only those of symmetric products set `symmetric`,
/// and only those of configurations that compute complex products themselves set `complex`: records and tuning see the
/// problem alone.
struct CoreProduct : GemmProblem {
  CoreProduct() = default;
  CoreProduct(const GemmProblem& problem, std::optional<WantedTriangle> wanted = {}, std::optional<KRange> range = {})
      : GemmProblem(problem), triangle(wanted), k_range(range) {}

  std::optional<WantedTriangle> triangle{};
  std::optional<KRange> k_range{};  ///< counts elements if the k of complex factors does
  std::optional<SymmetricFactor> symmetric{};
  std::optional<ComplexFactors> complex{};
};

template <>
struct VariantInput<GemmProblem> {
  using Type = CoreProduct;
};

}  // namespace tilewright::detail
