#include "lu/lu_explanation.hpp"

#include "kernels/explanation.hpp"
#include "lu/lu_checks.hpp"

namespace tilewright::detail {

std::string problem_text(const LuProblem& p) {
  std::string text = problem_text(to_string(p.task), to_string(p.type), {p.m, p.n}, p.batch.count);
  if (use_of(p.task).solves) text += ", nrhs " + std::to_string(p.nrhs);
  return text;
}

}  // namespace tilewright::detail
