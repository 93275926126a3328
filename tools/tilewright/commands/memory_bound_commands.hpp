// What bench does for operations on vectors and for a matrix times a vector.
#pragma once

#include <string>
#include <vector>

#include "product_options.hpp"

namespace tilewright::tool {

struct MemoryBoundOptions {
  ProductOptions product;
  ChoiceOptions forced;             ///< of gemv
  std::vector<std::string> names;   ///< of operations on vectors; all where empty
  std::vector<std::string> shapes;  ///< "N", of gemv "MxN"
  std::vector<std::string> against;
  unsigned runs = 7;
  bool json = false;
};

// Each returns the exit status. Throw UsageError and Error.
int bench_vectors(const MemoryBoundOptions& options);
int bench_gemv(const MemoryBoundOptions& options);

}  // namespace tilewright::tool
