#include "files/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <span>
#include <type_traits>

#include "files/file_error.hpp"
#include "files/input.hpp"
#include "files/npy_dictionary.hpp"
#include "files/number_conversion.hpp"
#include "files/output_file.hpp"
#include "kernels/host_type.hpp"

static_assert(std::endian::native == std::endian::little, "files have the byte order of memory");

namespace tilewright::tool {
namespace {

/// Row and column of the element at an index in the file's order.
MatrixPlace place_of(const NpyHeader& header, std::size_t index) {
  if (header.fortran_order) return {index % header.rows, index / header.rows};
  return {index / header.columns, index % header.columns};
}

template <class From, class To>
std::vector<To> convert(const NpyMatrix& matrix) {
  const std::vector<std::byte>& data = matrix.data;
  std::vector<From> elements(data.size() / sizeof(From));
  if (!elements.empty()) std::memcpy(elements.data(), data.data(), data.size());
  if constexpr (std::is_same_v<From, To>) {
    return elements;
  } else if constexpr (detail::is_complex_host_type<From> && !detail::is_complex_host_type<To>) {
    detail::refuse_complex(detail::HostType<From>::type);
  } else {
    std::vector<To> converted(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      converted[i] = converted_number<To>(elements[i]);
      if (is_overflow(elements[i], converted[i]))
        refuse_overflow<To>(matrix.path, place_of(matrix.header, i), elements[i]);
    }
    return converted;
  }
}

NpyHeader read_header(ByteSource& source, NpyElements elements, NpyShape shape) {
  NpyHeader header = npy_header_of(read_npy_dictionary(source), source.name(), elements, shape);
  const std::uint64_t bytes = header.data_bytes();
  if (source.left() > bytes) {
    throw FileError(FileErrorCode::trailing_data, source.name(),
                    fmt::format("{} more bytes follow the data of a {} x {} matrix", source.left() - bytes, header.rows,
                                header.columns));
  }
  return header;
}

void write_parts(const std::string& path, const NpyHeader& header, std::span<const std::byte> data) {
  const std::string text = format_npy_header(header);
  if (path == "-") {
    write_binary_output(std::as_bytes(std::span(text)));
    write_binary_output(data);
    return;
  }
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.write(data);
  file.commit();
}

}  // namespace

NpyMatrix read_npy(const std::string& path, NpyElements elements, NpyShape shape) {
  FileSource source(path);
  NpyMatrix matrix;
  matrix.path = path;
  matrix.header = read_header(source, elements, shape);
  const std::uint64_t bytes = matrix.header.data_bytes();
  if (source.left() == bytes) matrix.data.resize(static_cast<std::size_t>(bytes));
  source.read(matrix.data.data(), bytes, "data");
  return matrix;
}

NpyHeader read_npy_header(const std::string& path, NpyElements elements) {
  FileSource source(path);
  NpyHeader header = read_header(source, elements, NpyShape::matrix);
  if (source.left() < header.data_bytes())
    throw FileError(FileErrorCode::truncated, path,
                    fmt::format("truncated: {} bytes of data, {} expected", source.left(), header.data_bytes()));
  return header;
}

void write_npy(const std::string& path, const NpyMatrix& matrix) { write_parts(path, matrix.header, matrix.data); }

template <class T>
std::vector<T> elements_as(const NpyMatrix& matrix) {
  return detail::with_host_type(matrix.header.type,
                                [&]<class From>(std::type_identity<From>) { return convert<From, T>(matrix); });
}

template <class T>
void write_npy(const std::string& path, std::uint64_t rows, std::uint64_t columns, const std::vector<T>& elements) {
  write_parts(path, {detail::HostType<T>::type, false, rows, columns}, std::as_bytes(std::span(elements)));
}

#define TILEWRIGHT_INSTANTIATE(T)                        \
  template std::vector<T> elements_as(const NpyMatrix&); \
  template void write_npy(const std::string&, std::uint64_t, std::uint64_t, const std::vector<T>&);
TILEWRIGHT_FOR_HOST_TYPES(TILEWRIGHT_INSTANTIATE)

}  // namespace tilewright::tool
