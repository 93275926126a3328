#pragma once

#include <string>

namespace tilewright::tool {

/// Reads a report of the BLAS library (TILEWRIGHT_BLAS_REPORT=FILE.json) and returns its products as a table for
/// read_shapes(), each once: those that the device computed, or all if it computed none. Column-major products become
/// the row-major products of their transposes, which the same kernels compute.
/// Throws FileError(cannot_open, malformed_row). The file may hold anything.
std::string products_of_report(const std::string& path);

}  // namespace tilewright::tool
