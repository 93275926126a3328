// Matrices in files of any of the formats that are read.
#pragma once

#include <string>

#include "files/npy.hpp"
#include "files/triplets.hpp"

namespace tilewright::tool {

/// What help texts say of files with dense matrices, and with sparse ones.
inline constexpr const char* dense_files_help = "NumPy's .npy, or an array of the Matrix Market format (.mtx)";
inline constexpr const char* sparse_files_help =
    "coordinates of the Matrix Market format (.mtx, .mtx.gz), or what scipy.sparse.save_npz() writes (.npz)";

/// Whether a file holds a sparse matrix: coordinates of the Matrix Market format, or an archive of NumPy arrays. The
/// first bytes decide; the ending of the name counts only where they do not. False for a file that cannot be read.
bool is_sparse_file(const std::string& path);

/// Throws FileError, unsupported_format where the file is a dense matrix.
Triplets read_sparse_file(const std::string& path);

/// A NumPy file, or an array of the Matrix Market format, whose elements are f64. Throws FileError,
/// unsupported_format where the file is a sparse matrix.
NpyMatrix read_dense_file(const std::string& path, NpyElements elements = NpyElements::numbers);

}  // namespace tilewright::tool
