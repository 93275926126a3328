#include "files/matrix_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>
#include <variant>

#include "files/file_error.hpp"
#include "files/matrix_market.hpp"
#include "files/npz.hpp"
#include "files/text_lines.hpp"

namespace tilewright::tool {
namespace {

enum class Format { other, archive, text };

/// By the first bytes.
Format format_of(const std::string& path) {
  std::string start(14, '\0');  // of "%%MatrixMarket"
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.starts_with("PK")) return Format::archive;
  if (start.starts_with("\x1f\x8b") || start.starts_with("%%")) return Format::text;
  return Format::other;
}

NpyMatrix as_npy(const DenseMatrix& dense) {
  NpyMatrix matrix;
  matrix.header.type = DataType::f64;
  matrix.header.rows = dense.rows;
  matrix.header.columns = dense.columns;
  matrix.data.resize(dense.values.size() * sizeof(double));
  if (!dense.values.empty()) std::memcpy(matrix.data.data(), dense.values.data(), matrix.data.size());
  return matrix;
}

}  // namespace

bool is_sparse_file(const std::string& path) {
  const Format format = format_of(path);
  if (format != Format::text) return format == Format::archive;
  try {
    TextLines lines(path);
    std::string_view line;
    if (!lines.next(line)) return false;
    std::string words(line);
    std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return std::tolower(c); });
    return words.find("coordinate") != std::string::npos;
  } catch (const FileError&) {
    return false;
  }
}

Triplets read_sparse_file(const std::string& path) {
  const Format format = format_of(path);
  if (format == Format::archive) return read_npz(path);
  if (format == Format::text) {
    MatrixMarket matrix = read_matrix_market(path);
    if (auto* const triplets = std::get_if<Triplets>(&matrix)) return std::move(*triplets);
  } else {
    // Says what is wrong with a file that is not there.
    read_npy_header(path, NpyElements::any);
  }
  throw FileError(FileErrorCode::unsupported_format, path,
                  "is a dense matrix; a sparse one is expected: scipy.sparse.save_npz(FILE, "
                  "scipy.sparse.csr_matrix(a)) makes it one");
}

NpyMatrix read_dense_file(const std::string& path, NpyElements elements) {
  const Format format = format_of(path);
  if (format == Format::text) {
    const MatrixMarket matrix = read_matrix_market(path);
    if (const auto* const dense = std::get_if<DenseMatrix>(&matrix)) return as_npy(*dense);
  }
  if (format != Format::other)
    throw FileError(FileErrorCode::unsupported_format, path,
                    "is a sparse matrix; a dense one is expected here, and only A may be sparse");
  return read_npy(path, elements);
}

}  // namespace tilewright::tool
