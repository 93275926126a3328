#include "files/matrix_file.hpp"

#include <unistd.h>

#include <cstring>
#include <string_view>
#include <utility>
#include <variant>

#include "files/file_error.hpp"
#include "files/input.hpp"
#include "files/matrix_market.hpp"
#include "files/npz.hpp"
#include "runtime/system/plain_text.hpp"

namespace tilewright::tool {
namespace {

enum class Format { other, archive, text };

/// Returns the first bytes of a file; empty if it cannot be read.
std::string start_of(const std::string& path) try {
  constexpr std::size_t most = 512;
  const detail::Descriptor file = open_regular_file(path);
  std::string start(most, '\0');
  const ssize_t count = pread(file.get(), start.data(), start.size(), 0);
  start.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return start;
} catch (const FileError&) {
  return {};
}

/// Detects the format by the first bytes. A damaged Matrix Market banner is recognised by the file name's extension.
Format format_of(const std::string& path) {
  const std::string start = start_of(path);
  if (start.starts_with("PK")) return Format::archive;
  if (start.starts_with("\x93NUMPY")) return Format::other;
  if (start.starts_with("\x1f\x8b")) return Format::text;
  const std::size_t first = start.find_first_not_of("\xef\xbb\xbf \t\r\n");  // a byte order mark and white space
  if (first != std::string::npos && start[first] == '%') return Format::text;
  const std::string name = detail::lower_case(path);
  const bool is_named_so = name.ends_with(".mtx") || name.ends_with(".mtx.gz");
  return is_named_so ? Format::text : Format::other;
}

NpyMatrix as_npy(const DenseMatrix& dense, const std::string& path) {
  NpyMatrix matrix;
  matrix.path = path;
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
    return has_coordinates(path);
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
    // Throws the exact reason if the file is missing or damaged.
    read_npy_header(path, NpyElements::any);
  }
  throw FileError(FileErrorCode::unsupported_format, path,
                  "is a dense matrix, but a sparse one is expected; convert it with scipy.sparse.save_npz(FILE, "
                  "scipy.sparse.csr_matrix(a))");
}

NpyMatrix read_dense_file(const std::string& path, NpyElements elements) {
  const Format format = format_of(path);
  if (format == Format::text) {
    const MatrixMarket matrix = read_matrix_market(path);
    if (const auto* const dense = std::get_if<DenseMatrix>(&matrix)) return as_npy(*dense, path);
  }
  if (format != Format::other)
    throw FileError(FileErrorCode::unsupported_format, path,
                    "is a sparse matrix, but a dense one is expected here; only A may be sparse");
  return read_npy(path, elements);
}

}  // namespace tilewright::tool
