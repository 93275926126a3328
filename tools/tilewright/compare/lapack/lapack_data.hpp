// Operands of factorisations, solutions and triangular systems in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compare/lapack/lapack_problem.hpp"

namespace tilewright::tool {

/// The operands of a call: what it reads before the call, and what it wrote after it.
struct LapackData {
  std::vector<std::byte> a;
  std::vector<std::byte> b;          ///< empty if the operation has no B
  std::vector<std::int64_t> pivots;  ///< row i is interchanged with row pivots[i], counted from 0
  std::vector<std::int64_t> info;    ///< one per problem of the batch; empty if the operation has none
  std::vector<std::byte> tau{};      ///< factors of the reflectors; empty if the operation has none
};

/// Returns random operands.
///
/// A of an LU or QR factorisation has elements from [-1, 1), so that rows are interchanged. If gels gets more unknowns
/// than equations, A has multiples of the coefficients of the first unknowns for the others. Reflectors are random, and
/// tau makes them unitary. Other matrices A have 3 on
/// their diagonal and elements from [-1, 1) / sqrt(n) next to it: they are symmetric positive definite, if one triangle
/// counts, or well-conditioned factors with random pivots. B is A where an inverse overwrites it, otherwise it has
/// elements from [-1, 1). Outputs have impossible values, so that they cannot pass for results.
LapackData random_lapack_data(const LapackProblem& problem);

/// Returns the factor by which unknown `line` of an underdetermined system has the coefficients of unknown `line` % k,
/// where k is the number of equations and `line` >= k.
double repeated_factor(std::uint64_t line);

/// Returns the bytes of A and B.
double lapack_bytes(const LapackProblem& problem);

}  // namespace tilewright::tool
