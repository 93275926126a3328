// What `solve` and `inverse` have in common: one factorisation, and what is made of it.
#pragma once

#include <string>

#include "cli_names.hpp"
#include "commands/matrix_output.hpp"

namespace tilewright::tool {

struct LinearSystemOptions {
  std::string a;
  std::string b;  ///< empty: the inverse is wanted
  bool trans = false;
  bool mixed = false;  ///< by factors in f32, refined in f64; without `trans`
  std::string type;
  MatrixOutput output;
  std::string device;
};

/// The exit status. Throws what reading, computing and writing throw, and std::runtime_error where A is singular or the
/// result is wrong; then nothing is written.
int solve_linear_system(const LinearSystemOptions& options);

}  // namespace tilewright::tool
