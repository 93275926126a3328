// Matrices in the Matrix Market format: https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "files/triplets.hpp"

namespace tilewright::tool {

struct DenseMatrix {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<double> values;  ///< row by row
};

using MatrixMarket = std::variant<Triplets, DenseMatrix>;

/// Reads a file, plain or compressed by gzip: coordinates (of patterns, too, whose entries are 1) or an array, of real
/// numbers or integers. What symmetry leaves out is there. Throws FileError, whose message names the line; allocates
/// for what the file has, never for what it announces.
MatrixMarket read_matrix_market(const std::string& path);

}  // namespace tilewright::tool
