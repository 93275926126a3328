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
  std::vector<double> values;  ///< row-major
};

using MatrixMarket = std::variant<Triplets, DenseMatrix>;

/// Reads a plain or gzip-compressed file. Supports coordinates and arrays of real numbers or integers, and coordinates
/// of a pattern, whose entries become 1. Symmetric matrices are expanded. Repeated entries are all returned. A byte
/// order mark and blank lines before the banner are allowed, and the banner may lack one percent sign. Throws
/// FileError; its message names the line. Memory is limited by what the file can hold, whatever number of entries it
/// announces.
MatrixMarket read_matrix_market(const std::string& path);

/// Returns true if the file's banner announces coordinates. Throws FileError if the file cannot be read or has no
/// banner.
bool has_coordinates(const std::string& path);

}  // namespace tilewright::tool
