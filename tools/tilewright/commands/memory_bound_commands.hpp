// `bench` for vector operations and for a matrix times a vector.
#pragma once

#include <string>
#include <vector>

#include "product_options.hpp"

namespace tilewright::tool {

struct MemoryBoundOptions {
  ProductOptions product;
  ChoiceOptions forced;             ///< gemv only
  std::vector<std::string> names;   ///< vector operations; empty: all
  std::vector<std::string> shapes;  ///< "N", or "MxN" for gemv
  std::vector<std::string> against;
  unsigned runs = 7;
  bool json = false;
};

// Measure, print and return the exit status. Throw UsageError and Error.
int bench_vectors(const MemoryBoundOptions& options);
int bench_gemv(const MemoryBoundOptions& options);

}  // namespace tilewright::tool
