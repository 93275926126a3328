// Checks of factorisations, solutions and triangular systems.
#pragma once

#include "compare/contender.hpp"
#include "compare/lapack/lapack_data.hpp"

namespace tilewright::tool {

/// Compares results with the operands that the call had, in higher precision. `result` has all operands after the call.
///
/// The bounds are those of Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorems 8.5, 9.3 and
/// 10.3, and section 9.3, element by element. They hold for blocked algorithms, too. QR factors must satisfy |A - Q R|
/// <= 30 m u |A| in norms, LAPACK's threshold; products with Q and least-squares solutions have the same factor.
/// Factors are checked in several columns of their product and in the signed sum of all columns, solutions for several
/// right-hand sides. So a check takes a few passes over A. Of large batches some problems are checked.
Verdict check_lapack(const LapackProblem& problem, const LapackData& before, const LapackData& result);

}  // namespace tilewright::tool
