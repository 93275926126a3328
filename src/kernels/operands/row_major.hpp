// The row-major form of problems with a matrix A on one side of B.
#pragma once

#include <utility>

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Makes a column-major problem row-major. A column-major matrix is the row-major transpose, and op(A) B = C is the
/// same as B^T op(A)^T = C^T: A changes sides, and its stored triangle is the other one.
template <class Problem>
void make_row_major(Problem& problem) {
  if (problem.layout == Layout::row_major) return;
  problem.layout = Layout::row_major;
  std::swap(problem.m, problem.n);
  problem.side = problem.side == Side::left ? Side::right : Side::left;
  problem.uplo = problem.uplo == Uplo::lower ? Uplo::upper : Uplo::lower;
}

}  // namespace tilewright::detail
