// Texts and parts of LU's explanations.
#pragma once

#include <string>
#include <string_view>

#include "lu/lu_problem.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

/// Returns the operation, its type and its sizes, such as "getrs f32 100x100, nrhs 5".
std::string problem_text(const LuProblem& problem);

/// Appends a reason to those that the explanation has.
void add_reason(Explanation& explanation, std::string_view reason);

/// Adds a plan as a part, unless a part has the same problem.
void add_part(Explanation& explanation, const GemmPlan& plan);
void add_part(Explanation& explanation, const TrsmPlan& plan);

}  // namespace tilewright::detail
