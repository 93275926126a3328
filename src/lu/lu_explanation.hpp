// Texts of LU's explanations.
#pragma once

#include <string>
#include <string_view>

#include "lu/lu_problem.hpp"
#include "tilewright/choice.hpp"

namespace tilewright::detail {

/// Returns the operation, its type and its sizes, such as "getrs f32 100x100, nrhs 5".
std::string problem_text(const LuProblem& problem);

/// Appends a reason to those that the explanation has.
void add_reason(Explanation& explanation, std::string_view reason);

}  // namespace tilewright::detail
