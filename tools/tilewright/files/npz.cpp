#include "files/npz.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "files/file_error.hpp"
#include "files/npy_array.hpp"
#include "files/zip_archive.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// An array of the archive, opened but not read.
struct Member {
  Member(const ZipArchive& archive, const std::string& name)
      : content(archive, name + ".npy"), array(open_npy_vector(content)) {}

  std::vector<std::uint64_t> indices() { return finished(read_indices(array)); }
  std::vector<double> numbers() { return finished(read_numbers(array)); }

  ZipMember content;
  NpyArray array;

 private:
  template <class T>
  std::vector<T> finished(std::vector<T> elements) {
    content.finish();
    return elements;
  }
};

/// Memory of triplets, in bytes.
double memory_of(std::uint64_t entries) { return static_cast<double>(entries) * 3 * sizeof(double); }

std::string format_of(const ZipArchive& archive) {
  if (!archive.has("format.npy"))
    throw FileError(FileErrorCode::missing_member, archive.path(),
                    "is not a sparse matrix of scipy.sparse.save_npz(): it has no member 'format.npy'");
  ZipMember content(archive, "format.npy");
  std::string format = read_text(content);
  content.finish();
  if (format != "csr" && format != "csc" && format != "coo")
    throw FileError(FileErrorCode::unsupported_format, archive.path(),
                    fmt::format("the format is {}; csr, csc or coo is expected: scipy.sparse.save_npz(FILE, a.tocsr())",
                                in_quotes(format)));
  return format;
}

void require_same_size(const ZipArchive& archive, const Member& data, const Member& indices, const std::string& name) {
  if (indices.array.size() == data.array.size()) return;
  throw FileError(FileErrorCode::wrong_count, archive.path(),
                  fmt::format("'data' has {}, but '{}' has {}", count_of(data.array.size(), "element"), name,
                              indices.array.size()));
}

void require_inside(const ZipArchive& archive, const std::vector<std::uint64_t>& indices, std::uint64_t extent,
                    const std::string& name) {
  for (const std::uint64_t index : indices)
    if (index >= extent)
      throw FileError(FileErrorCode::out_of_range, archive.path(),
                      fmt::format("'{}' contains {}, but its indices must be less than {}", name, index, extent));
}

/// Expands the start offsets of rows, or columns, to one index per entry.
std::vector<std::uint64_t> expanded(const ZipArchive& archive, const std::vector<std::uint64_t>& begins,
                                    std::uint64_t extent, std::uint64_t entries) {
  if (begins.size() != extent + 1)
    throw FileError(
        FileErrorCode::wrong_count, archive.path(),
        fmt::format("'indptr' has {}, but {} + 1 are expected", count_of(begins.size(), "element"), extent));
  if (begins.front() != 0 || begins.back() > entries)
    throw FileError(FileErrorCode::out_of_range, archive.path(),
                    fmt::format("'indptr' goes from {} to {}, but must start at 0 and end at most at {}",
                                begins.front(), begins.back(), entries));
  for (std::uint64_t i = 0; i < extent; ++i)
    if (begins[i + 1] < begins[i])
      throw FileError(FileErrorCode::out_of_range, archive.path(),
                      fmt::format("'indptr' decreases from {} to {} at index {}", begins[i], begins[i + 1], i + 1));
  std::vector<std::uint64_t> result;
  result.reserve(begins.back());
  for (std::uint64_t i = 0; i < extent; ++i) result.insert(result.end(), begins[i + 1] - begins[i], i);
  return result;
}

void read_coordinates(const ZipArchive& archive, Member& data, Triplets& result) {
  Member row(archive, "row"), column(archive, "col");
  require_same_size(archive, data, row, "row");
  require_same_size(archive, data, column, "col");
  result.row = row.indices();
  result.column = column.indices();
  require_inside(archive, result.row, result.rows, "row");
  require_inside(archive, result.column, result.columns, "col");
}

/// Reads the formats csr (by_rows) and csc.
void read_compressed(const ZipArchive& archive, Member& data, bool by_rows, Triplets& result) {
  Member begins(archive, "indptr"), indices(archive, "indices");
  require_same_size(archive, data, indices, "indices");
  std::vector<std::uint64_t>& outer = by_rows ? result.row : result.column;
  std::vector<std::uint64_t>& inner = by_rows ? result.column : result.row;
  require_host_memory(archive.path(),
                      static_cast<double>(begins.array.size()) * sizeof(std::uint64_t) + memory_of(data.array.size()),
                      "the matrix");
  inner = indices.indices();
  require_inside(archive, inner, by_rows ? result.columns : result.rows, "indices");
  outer = expanded(archive, begins.indices(), by_rows ? result.rows : result.columns, inner.size());
  inner.resize(outer.size());
}

}  // namespace

Triplets read_npz(const std::string& path) {
  const ZipArchive archive(path);
  const std::string format = format_of(archive);
  Triplets result;
  Member sizes(archive, "shape");
  if (sizes.array.size() != 2)
    throw FileError(FileErrorCode::unsupported_dimensions, path,
                    fmt::format("the array has {}, but a matrix has 2", count_of(sizes.array.size(), "dimension")));
  const std::vector<std::uint64_t> shape = sizes.indices();
  for (const std::uint64_t extent : shape)
    if (extent > std::numeric_limits<std::int64_t>::max())
      throw FileError(FileErrorCode::size_overflow, path, "a dimension is larger than 2^63 - 1");
  result.rows = shape[0];
  result.columns = shape[1];
  Member data(archive, "data");
  require_host_memory(path, memory_of(data.array.size()), "the matrix");
  result.type = fits_f32(data.array) ? DataType::f32 : DataType::f64;
  if (format == "coo")
    read_coordinates(archive, data, result);
  else
    read_compressed(archive, data, format == "csr", result);
  result.values = data.numbers();
  result.values.resize(result.row.size());
  return result;
}

}  // namespace tilewright::tool
