// Shared code of `solve` and `inverse`: one factorisation, then the solution or the inverse.
#pragma once

#include <cstdint>
#include <string>

#include "options/cli_names.hpp"
#include "options/matrix_output.hpp"

namespace tilewright::tool {

/// About this many columns of a large result are checked; each takes as many operations as A has elements.
inline constexpr std::uint64_t checked_columns = 64;

struct LinearSystemOptions {
  std::string a;
  std::string b;  ///< empty: compute the inverse
  bool trans = false;
  bool mixed = false;  ///< f32 factors, refined in f64; excludes `trans`
  bool spd = false;    ///< A is symmetric positive definite: Cholesky's factorisation; excludes `trans` and `mixed`
  std::string type;
  MatrixOutput output;
  std::string device;
};

/// Solves or inverts, verifies, and writes the result. Returns the exit status. Throws the errors of reading, computing
/// and writing, and std::runtime_error if A is singular, not symmetric or not positive definite where it must be, or if
/// the result is wrong; then nothing is written.
int solve_linear_system(const LinearSystemOptions& options);

}  // namespace tilewright::tool
