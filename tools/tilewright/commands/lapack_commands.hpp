// `bench` for factorisations, solutions and triangular systems.
#pragma once

#include <string>
#include <vector>

#include "lapack_options.hpp"
#include "product_options.hpp"

namespace tilewright::tool {

struct LapackBenchOptions {
  const LapackOperation* operation = nullptr;
  ProductOptions product;
  LapackOptions lapack;
  ChoiceOptions forced;             ///< for the products between blocks
  std::vector<std::string> shapes;  ///< "N", "NxNRHS", or "MxN" for getrf
  std::vector<std::string> against;
  unsigned runs = 7;
  bool json = false;
};

/// Measures, prints and returns the exit status. Throws UsageError and Error.
int bench_lapack(const LapackBenchOptions& options);

/// Returns the help on shapes, times and counts of operations.
std::string lapack_footer();

}  // namespace tilewright::tool
