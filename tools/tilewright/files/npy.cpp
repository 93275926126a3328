#include "files/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <type_traits>

#include "files/file_error.hpp"
#include "files/output_file.hpp"
#include "kernels/host_type.hpp"

static_assert(std::endian::native == std::endian::little, "elements are read and written as they lie in memory");

namespace tilewright::tool {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::uint64_t longest_header = 10000;  // NumPy's own limit

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
      throw FileError(FileErrorCode::cannot_open, path,
                      path == "-" ? "standard input is not taken here; name a file" : "there is no such file");
    if (error) throw FileError(FileErrorCode::cannot_open, path, "cannot be opened for reading: " + error.message());
    if (!std::filesystem::is_regular_file(status)) throw FileError(FileErrorCode::not_a_file, path, "is not a file");
    errno = 0;
    stream_.open(path, std::ios::binary);
    if (!stream_)
      throw FileError(FileErrorCode::cannot_open, path,
                      "cannot be opened for reading: " + std::generic_category().message(errno));
    left_ = std::filesystem::file_size(path, error);
    if (error) throw FileError(FileErrorCode::cannot_read, path, "has no size: " + error.message());
  }

  std::uint64_t left() const { return left_; }

  void read(void* target, std::uint64_t bytes, std::string_view what) {
    if (bytes > left_) {
      throw FileError(FileErrorCode::truncated, path_,
                      fmt::format("truncated: {} bytes of {}, {} expected", left_, what, bytes));
    }
    stream_.read(static_cast<char*>(target), static_cast<std::streamsize>(bytes));
    if (!stream_) throw FileError(FileErrorCode::cannot_read, path_, fmt::format("reading {} failed", what));
    left_ -= bytes;
  }

 private:
  const std::string& path_;
  std::ifstream stream_;
  std::uint64_t left_ = 0;
};

std::uint64_t read_header_length(Reader& reader, const std::string& path) {
  std::array<char, 8> start{};
  if (reader.left() < start.size()) throw FileError(FileErrorCode::not_npy, path, "is no NumPy array file (.npy)");
  reader.read(start.data(), start.size(), "magic number");
  if (std::string_view(start.data(), magic.size()) != magic) {
    throw FileError(FileErrorCode::not_npy, path, "is no NumPy array file (.npy)");
  }
  const auto version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0) {
    throw FileError(FileErrorCode::unsupported_version, path,
                    fmt::format("NumPy format version {}.{} is not supported; versions 1.0 to 3.0 are", version,
                                static_cast<unsigned char>(start[7])));
  }
  std::array<unsigned char, 4> length{};
  reader.read(length.data(), version == 1 ? 2 : 4, "header length");
  return std::uint64_t{length[0]} | std::uint64_t{length[1]} << 8 | std::uint64_t{length[2]} << 16 |
         std::uint64_t{length[3]} << 24;
}

template <class From, class To>
To converted_element(From x) {
  if constexpr (detail::is_complex_host_type<From> || !detail::is_complex_host_type<To>)
    return static_cast<To>(x);
  else
    return static_cast<detail::Part<To>>(x);
}

template <class From, class To>
std::vector<To> convert(const std::vector<std::byte>& data) {
  std::vector<From> elements(data.size() / sizeof(From));
  if (!elements.empty()) std::memcpy(elements.data(), data.data(), data.size());
  if constexpr (std::is_same_v<From, To>) {
    return elements;
  } else if constexpr (detail::is_complex_host_type<From> && !detail::is_complex_host_type<To>) {
    detail::refuse_complex(detail::HostType<From>::type);
  } else {
    std::vector<To> converted(elements.size());
    std::transform(elements.begin(), elements.end(), converted.begin(), converted_element<From, To>);
    return converted;
  }
}

}  // namespace

namespace {

NpyHeader read_header(Reader& reader, const std::string& path, NpyElements elements, NpyShape shape) {
  const std::uint64_t header_length = read_header_length(reader, path);
  if (header_length > longest_header) {
    throw FileError(FileErrorCode::oversized_header, path,
                    fmt::format("a header of {} bytes; {} are the limit", header_length, longest_header));
  }
  std::string text(static_cast<std::size_t>(header_length), '\0');
  reader.read(text.data(), header_length, "header");
  NpyHeader header = parse_npy_header(text, path, elements, shape);
  const std::uint64_t bytes = header.data_bytes();
  if (reader.left() > bytes) {
    throw FileError(FileErrorCode::trailing_data, path,
                    fmt::format("{} bytes behind the data of a {} x {} matrix", reader.left() - bytes, header.rows,
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
  Reader reader(path);
  NpyMatrix matrix;
  matrix.header = read_header(reader, path, elements, shape);
  const std::uint64_t bytes = matrix.header.data_bytes();
  if (reader.left() == bytes) matrix.data.resize(static_cast<std::size_t>(bytes));
  reader.read(matrix.data.data(), bytes, "data");
  return matrix;
}

NpyHeader read_npy_header(const std::string& path, NpyElements elements) {
  Reader reader(path);
  NpyHeader header = read_header(reader, path, elements, NpyShape::matrix);
  if (reader.left() < header.data_bytes())
    throw FileError(FileErrorCode::truncated, path,
                    fmt::format("truncated: {} bytes of data, {} expected", reader.left(), header.data_bytes()));
  return header;
}

void write_npy(const std::string& path, const NpyMatrix& matrix) { write_parts(path, matrix.header, matrix.data); }

template <class T>
std::vector<T> elements_as(const NpyMatrix& matrix) {
  return detail::with_host_type(matrix.header.type,
                                [&]<class From>(std::type_identity<From>) { return convert<From, T>(matrix.data); });
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
