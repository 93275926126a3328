// Operation<GemmProblem>: distances between problems, their work, and their labels.
#include <bit>
#include <cmath>

#include "gemm/core_problem.hpp"
#include "gemm/epilogue.hpp"
#include "gemm/variant.hpp"
#include "kernels/explanation.hpp"
#include "selection/problem_measures.hpp"

namespace tilewright::detail {
namespace {

// The widest vector, up to 16 elements, in which every row of every operand can be read.
int alignment_of(const GemmProblem& p) {
  const std::uint64_t all = p.lda | p.ldb | p.ldc | p.epilogue.ldr | p.offset_alignment | 16;
  return std::countr_zero(all);
}

}  // namespace

using Gemm = Operation<GemmProblem>;

std::string Gemm::unsupported_type(const GemmProblem& problem, const DeviceProfile& device) {
  return why_unsupported(problem.type, device);
}

GemmProblem Gemm::normalized(const GemmProblem& problem) { return core_problem(detail::normalized(problem)); }

double Gemm::work(const GemmProblem& p) {
  const double of_element = is_complex(p.type) ? 4 : 1;
  return of_element * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch.count);
}

// The sum of |log ratio| of m, n, k and the number of products. A different program (other transposes, other alignment)
// counts like twice the size. A different epilogue counts little, because it takes little of the time.
double Gemm::distance(const GemmProblem& left, const GemmProblem& right) {
  const double other_program = std::log(2.0);
  double result = log_ratio(left.m, right.m) + log_ratio(left.n, right.n) + log_ratio(left.k, right.k) +
                  log_ratio(left.batch.count, right.batch.count);
  if (left.trans_a != right.trans_a) result += other_program;
  if (left.trans_b != right.trans_b) result += other_program;
  if (alignment_of(left) != alignment_of(right)) result += other_program;
  if (!is_equivalent(left.epilogue, right.epilogue)) result += std::log(1.05);
  return result;
}

std::string Gemm::label(const GemmProblem& p) {
  return std::to_string(p.m) + " x " + std::to_string(p.n) + " x " + std::to_string(p.k) + ' ' + transposes_of(p);
}

std::string Gemm::present_name(const std::string& variant) {
  if (variant == "skinny") return "group_reduction";
  if (variant == "image_tile") return "texel_blocked";
  return variant;
}

std::string types_of(const GemmProblem& problem) {
  std::string types(to_string(problem.type));
  if (type_of_c(problem) != problem.type) types += "->" + std::string(to_string(type_of_c(problem)));
  if (problem.accuracy != Accuracy::full) types += ' ' + std::string(to_string(problem.accuracy));
  return types;
}

std::string problem_text(const GemmProblem& p) {
  const std::string transposes = transposes_of(p);
  return problem_text(Gemm::name, types_of(p), {p.m, p.n, p.k}, p.batch.count) +
         (transposes == "NN" ? "" : ' ' + transposes);
}

std::string note_on_core(const GemmProblem& normalized, const GemmProblem& core) {
  if (core == normalized) return {};
  return "; computed as the " + std::string(to_string(core.type)) + " product " + Gemm::label(core);
}

char letter_of(Transpose transpose) {
  switch (transpose) {
    case Transpose::no:
      return 'N';
    case Transpose::yes:
      return 'T';
    case Transpose::conjugate_transpose:
      break;
  }
  return 'C';
}

std::string transposes_of(const GemmProblem& problem) {
  return {letter_of(problem.trans_a), letter_of(problem.trans_b)};
}

}  // namespace tilewright::detail
