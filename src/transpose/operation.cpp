// Measures of transpose problems for selection: distance, work and labels.
#include <bit>
#include <cmath>
#include <string>

#include "kernels/explanation.hpp"
#include "selection/problem_measures.hpp"
#include "transpose/variant.hpp"

namespace tilewright::detail {
namespace {

// Log2 of the widest vector, up to 16 elements, in which every row of both matrices can be moved.
int alignment_of(const TransposeProblem& p) { return std::countr_zero(p.lda | p.ldb | p.offset_alignment | 16); }

}  // namespace

using Transposition = Operation<TransposeProblem>;

double Transposition::work(const TransposeProblem& p) { return bytes_moved(p); }

// Elements of another size need another program, so their times do not compare.
bool Transposition::same_kind(const TransposeProblem& left, const TransposeProblem& right) {
  return left.type.bytes() == right.type.bytes() && left.trans == right.trans && left.in_place == right.in_place;
}

// The sum of |log ratio| of m, n and the number of matrices. Another alignment counts like twice the size.
double Transposition::distance(const TransposeProblem& left, const TransposeProblem& right) {
  double result =
      log_ratio(left.m, right.m) + log_ratio(left.n, right.n) + log_ratio(left.batch.count, right.batch.count);
  if (alignment_of(left) != alignment_of(right)) result += std::log(2.0);
  return result;
}

std::string Transposition::label(const TransposeProblem& p) {
  return std::to_string(p.m) + " x " + std::to_string(p.n) + (p.in_place ? " in place" : "");
}

std::string problem_text(const TransposeProblem& p) {
  return problem_text(Transposition::name, to_string(p.type), {p.m, p.n}, p.batch.count) +
         (p.in_place ? " in place" : "");
}

}  // namespace tilewright::detail
