// Options of factorisations, solutions and triangular systems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compare/lapack/lapack_problem.hpp"
#include "options/cli_names.hpp"
#include "options/product_options.hpp"

namespace tilewright::tool {

/// Options --nrhs, --uplo, --side and --diag. An empty text or 0 means that the option is absent.
struct LapackOptions {
  std::uint64_t nrhs = 0;
  std::string uplo;
  std::string side;
  std::string diag;

  void add_to(CLI::App& command);

  /// Throws UsageError if an option is set that the operation lacks. It may be none of lapack_operations().
  void check_for(std::string_view operation) const;

  /// Returns a problem of the shape "N", "NxNRHS", or "MxN" for getrf, geqrf, ormqr, orgqr and gels. Throws UsageError.
  LapackProblem problem(const LapackOperation& operation, const ProductOptions& product, std::string_view shape) const;
};

}  // namespace tilewright::tool
