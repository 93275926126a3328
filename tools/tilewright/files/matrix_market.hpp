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

/// Reads a file, plain or compressed with gzip: coordinates or an array, of real numbers or integers, or coordinates of
/// a pattern, whose entries are 1. Both halves of symmetric matrices are returned. Entries may be repeated in any
/// number; all are returned. Before the banner there may be a byte order mark and blank lines, and one of the banner's
/// percent signs may be missing. Throws FileError, whose message names the line. Memory is allocated only for entries
/// that the file can hold, whatever number it announces.
MatrixMarket read_matrix_market(const std::string& path);

/// Whether the banner of a file says that it holds coordinates. Throws FileError where the file cannot be read or has
/// no banner.
bool has_coordinates(const std::string& path);

}  // namespace tilewright::tool
