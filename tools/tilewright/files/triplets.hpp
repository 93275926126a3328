// A sparse matrix as files hold it.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/matrix.hpp"

namespace tilewright::tool {

/// Entries in any order, counted from 0. Those at one place are added.
struct Triplets {
  DataType type = DataType::f64;  ///< f32 or f64, whichever holds the file's numbers
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row;
  std::vector<std::uint64_t> column;
  std::vector<double> values;
};

}  // namespace tilewright::tool
