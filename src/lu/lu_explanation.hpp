// Texts of LU's explanations.
#pragma once

#include <string>

#include "lu/lu_problem.hpp"

namespace tilewright::detail {

/// Returns the operation, its type and its sizes, such as "getrs f32 100x100, nrhs 5".
std::string problem_text(const LuProblem& problem);

}  // namespace tilewright::detail
