// A sparse matrix as a file stores it.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/matrix.hpp"

namespace tilewright::tool {

/// Entries in any order, with indices from 0. Entries at the same place are added.
struct Triplets {
  DataType type = DataType::f64;  ///< f32 if it holds all elements of the file exactly, otherwise f64
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row;
  std::vector<std::uint64_t> column;
  std::vector<double> values;
};

}  // namespace tilewright::tool
