// Explanations of operations that consist of other operations.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tilewright/choice.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Returns the operation, its type and its sizes, as in "gemm f32 512x64x128".
std::string problem_text(std::string_view operation, DataType type, std::initializer_list<std::uint64_t> sizes);

/// Adds a part to an explanation unless an equal part is already listed.
void add_part(Explanation& whole, Explanation part);

/// Explains one matrix product of an algorithm. `Plan` is the plan of an m x n x k product by one variant.
template <class Plan>
Explanation explain_product(const Plan& plan) {
  const auto& p = plan.problem();
  return {.variant = plan.variant(),
          .configuration = plan.configuration(),
          .reason = "a product between blocks; explain_gemm() says why its variant is chosen",
          .problem = problem_text("gemm", p.type, {p.m, p.n, p.k})};
}

}  // namespace tilewright::detail
