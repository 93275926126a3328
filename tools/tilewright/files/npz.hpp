// Sparse matrices written by SciPy's save_npz(): archives of NumPy arrays.
#pragma once

#include <string>

#include "files/triplets.hpp"

namespace tilewright::tool {

/// Reads a matrix in the format csr, csc or coo, with real, integer or boolean elements, compressed or not. Throws
/// FileError. Refuses members that announce more than their compressed bytes can hold, before it allocates.
Triplets read_npz(const std::string& path);

}  // namespace tilewright::tool
