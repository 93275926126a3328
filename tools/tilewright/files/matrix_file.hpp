// Reading of matrices in files of any supported format.
#pragma once

#include <string>

#include "files/npy.hpp"
#include "files/triplets.hpp"

namespace tilewright::tool {

/// Supported formats of dense and of sparse matrices, for help texts.
inline constexpr const char* dense_files_help = "NumPy's .npy, or a Matrix Market array (.mtx)";
inline constexpr const char* sparse_files_help =
    "Matrix Market coordinates (.mtx, .mtx.gz), or files of scipy.sparse.save_npz() (.npz)";

/// Returns true for a sparse matrix: Matrix Market coordinates or an archive of NumPy arrays. The first bytes decide,
/// the file name's extension only if they do not. Returns false for an unreadable file.
bool is_sparse_file(const std::string& path);

/// Reads a sparse matrix. Throws FileError; unsupported_format means a dense matrix.
Triplets read_sparse_file(const std::string& path);

/// Reads a NumPy file, or a Matrix Market array as f64. Throws FileError; unsupported_format means a sparse matrix.
NpyMatrix read_dense_file(const std::string& path, NpyElements elements = NpyElements::numbers);

}  // namespace tilewright::tool
