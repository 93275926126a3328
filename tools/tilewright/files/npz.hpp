// Sparse matrices as SciPy's save_npz() writes them: an archive of NumPy arrays.
#pragma once

#include <string>

#include "files/triplets.hpp"

namespace tilewright::tool {

/// Reads a matrix in one of the formats csr, csc and coo, of real numbers, integers or truth values, compressed or not.
/// Throws FileError; allocates nothing for members that announce more than their compressed bytes can hold.
Triplets read_npz(const std::string& path);

}  // namespace tilewright::tool
