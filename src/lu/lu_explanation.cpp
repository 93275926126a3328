#include "lu/lu_explanation.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "lu/lu_checks.hpp"

namespace tilewright::detail {
namespace {

// Sizes are joined by "x".
std::string operation_text(std::string_view operation, DataType type, std::initializer_list<std::uint64_t> sizes,
                           std::uint64_t count) {
  std::string text = std::string(operation) + ' ' + std::string(to_string(type));
  const char* separator = " ";
  for (const std::uint64_t size : sizes) text += std::exchange(separator, "x") + std::to_string(size);
  if (count != 1) text += ", batch of " + std::to_string(count);
  return text;
}

void add_once(std::vector<Explanation>& parts, Explanation part) {
  const auto is_same = [&](const Explanation& other) { return other.problem == part.problem; };
  if (std::none_of(parts.begin(), parts.end(), is_same)) parts.push_back(std::move(part));
}

}  // namespace

std::string problem_text(const LuProblem& p) {
  std::string text = operation_text(to_string(p.task), p.type, {p.m, p.n}, p.batch.count);
  if (use_of(p.task).solves) text += ", nrhs " + std::to_string(p.nrhs);
  return text;
}

void add_reason(Explanation& explanation, std::string_view reason) {
  if (!explanation.reason.empty()) explanation.reason += "; ";
  explanation.reason += reason;
}

void add_part(Explanation& explanation, const GemmPlan& plan) {
  const GemmProblem& p = plan.problem();
  Explanation part;
  part.problem = operation_text("gemm", p.type, {p.m, p.n, p.k}, p.batch.count);
  part.variant = plan.variant();
  part.configuration = plan.configuration();
  part.reason = "matrix product between blocks";
  add_once(explanation.parts, std::move(part));
}

void add_part(Explanation& explanation, const TrsmPlan& plan) {
  const TrsmProblem& p = plan.problem();
  Explanation part;
  part.problem = operation_text(p.uplo == Uplo::lower ? "trsm lower" : "trsm upper", p.type, {p.m, p.n}, p.batch.count);
  part.reason = "triangular system with a factor";
  add_once(explanation.parts, std::move(part));
}

}  // namespace tilewright::detail
