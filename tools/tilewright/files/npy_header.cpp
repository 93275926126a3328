#include "files/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "files/file_error.hpp"
#include "kernels/element_type.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// Converts a dictionary to a matrix header.
class HeaderReading {
 public:
  HeaderReading(NpyDictionary dictionary, const std::string& path, NpyElements elements, NpyShape wanted)
      : dictionary_(std::move(dictionary)), path_(path), elements_(elements), wanted_(wanted) {}

  NpyHeader header() {
    NpyHeader header;
    if (elements_ == NpyElements::any) {
      header.moved_bytes = moved_bytes();
      header.descriptor = dictionary_.descriptor;
    } else {
      header.type = type();
    }
    if (wanted_ == NpyShape::vector) make_column();
    set_shape(header);
    return header;
  }

 private:
  void make_column() {
    std::vector<std::uint64_t>& shape = dictionary_.shape;
    if (shape.size() == 1) shape.push_back(1);
    if (shape.size() == 2 && shape[0] == 1) std::swap(shape[0], shape[1]);
    if (shape.size() != 2 || shape[1] != 1)
      throw FileError(FileErrorCode::unsupported_dimensions, path_,
                      "the array is not a vector; one dimension is expected");
  }

  void set_shape(NpyHeader& header) const {
    const std::vector<std::uint64_t>& shape = dictionary_.shape;
    if (shape.size() != 2) {
      throw FileError(FileErrorCode::unsupported_dimensions, path_,
                      fmt::format("the array has {}, but a matrix has 2; {}", count_of(shape.size(), "dimension"),
                                  conversion(shape.size() < 2 ? "reshape(-1, 1)" : "reshape(-1, a.shape[-1])")));
    }
    header.fortran_order = dictionary_.fortran_order;
    header.rows = shape[0];
    header.columns = shape[1];
    // Stream offsets are signed, so a file has at most 2^63 - 1 bytes.
    constexpr std::uint64_t max_bytes = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t max_elements = max_bytes / header.element_bytes();
    if (header.columns > max_elements || (header.columns != 0 && header.rows > max_elements / header.columns)) {
      throw FileError(FileErrorCode::size_overflow, path_,
                      fmt::format("{} x {} elements take more than 2^63 - 1 bytes", header.rows, header.columns));
    }
  }

  // Parses byte order, kind, size, and the unit of times: "<f4", ">i8", "|b1", "<U2", "<M8[ns]". A "U" character has 4
  // bytes.
  std::size_t moved_bytes() const {
    const std::string_view name = dictionary_.descriptor;
    if (name.empty())
      throw FileError(FileErrorCode::unsupported_type, path_,
                      "elements are records of named fields; view them as bytes instead: numpy.load(FILE).view('V16')");
    const bool ordered = name.size() >= 3 && std::string_view("<>|=").find(name[0]) != std::string_view::npos;
    const bool known = ordered && std::string_view("biufcSUVMm").find(name[1]) != std::string_view::npos;
    std::uint64_t bytes = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] =
        known ? std::from_chars(name.data() + 2, end, bytes) : std::from_chars_result{end, std::errc::invalid_argument};
    const bool has_unit =
        known && (name[1] == 'M' || name[1] == 'm') && stop != end && *stop == '[' && name.back() == ']';
    if (known && name[1] == 'U' && bytes <= 4) bytes *= 4;
    const bool is_size = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
    const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return detail::is_letter(static_cast<char>(c)) || detail::is_digit(static_cast<char>(c)) ||
             std::string_view("<>|=[]").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (error != std::errc{} || (stop != end && !has_unit) || !is_size || !plain)
      throw FileError(
          FileErrorCode::unsupported_type, path_,
          fmt::format("elements are {}, but elements of 1, 2, 4, 8 or 16 bytes are expected", in_quotes(name)));
    return static_cast<std::size_t>(bytes);
  }

  DataType type() const {
    const std::string_view name = dictionary_.descriptor;
    if (name.empty())
      throw FileError(FileErrorCode::unsupported_type, path_,
                      "elements are records of named fields, expected " + known_types() +
                          "; select one field: numpy.load(FILE)['FIELD']");
    for (const detail::ElementType& known : detail::element_types()) {
      if (!is_taken(known)) continue;
      if (name == known.numpy) return known.type;
      if (name.starts_with('>') && name.substr(1) == known.numpy.substr(1))
        throw FileError(FileErrorCode::big_endian, path_,
                        fmt::format("elements are big-endian ('{}'), expected {}; {}", name, known_types(),
                                    conversion(fmt::format("astype('{}')", known.numpy))));
    }
    fail_type(name);
  }

  bool is_taken(const detail::ElementType& type) const {
    return type.numpy_number || elements_ == NpyElements::numbers_and_bits;
  }

  std::string known_types() const {
    std::vector<std::string> quoted;
    for (const detail::ElementType& known : detail::element_types())
      if (is_taken(known)) quoted.push_back(in_quotes(known.numpy));
    return join_words(quoted);
  }

  /// Suggests --type if elements of that name may be the bits of a type that NumPy lacks.
  static std::string width_hint(std::string_view name) {
    for (const detail::ElementType& known : detail::element_types())
      if (name == known.numpy)
        return fmt::format("; if they are the bits of {}, give --type {}", known.description, known.name);
    return {};
  }

  /// Throws an error that names the element type and a conversion to floats, exact if possible.
  [[noreturn]] void fail_type(std::string_view name) const {
    struct Kind {
      std::string_view code;  // without the byte order
      std::string_view words;
      std::string_view target;
    };
    constexpr std::array kinds{Kind{"i1", "8-bit integers", "<f4"},
                               Kind{"i2", "16-bit integers", "<f4"},
                               Kind{"i8", "64-bit integers", "<f8"},
                               Kind{"u1", "unsigned 8-bit integers", "<f4"},
                               Kind{"u2", "unsigned 16-bit integers", "<f4"},
                               Kind{"u4", "unsigned 32-bit integers", "<f8"},
                               Kind{"u8", "unsigned 64-bit integers", "<f8"},
                               Kind{"b1", "truth values", "<f4"},
                               Kind{"f12", "extended-precision floats", "<f8"},
                               Kind{"f16", "extended-precision floats", "<f8"}};
    const std::string_view code = name.substr(std::min(name.size(), std::size_t{1}));
    for (const Kind& kind : kinds) {
      if (kind.code != code) continue;
      throw FileError(FileErrorCode::unsupported_type, path_,
                      fmt::format("elements are {} ({}), expected {}{}; {}", kind.words, in_quotes(name), known_types(),
                                  width_hint(name), conversion(fmt::format("astype('{}')", kind.target))));
    }
    throw FileError(FileErrorCode::unsupported_type, path_,
                    fmt::format("elements are {}; expected {}", in_quotes(name), known_types()));
  }

  /// A shell command that converts the array to a readable file.
  std::string conversion(std::string_view method) const {
    constexpr std::string_view ending = ".npy";
    const bool plain = std::all_of(path_.begin(), path_.end(), [](unsigned char c) {
      return detail::is_letter(static_cast<char>(c)) || detail::is_digit(static_cast<char>(c)) ||
             std::string_view("/._-+=,: ").find(static_cast<char>(c)) != std::string_view::npos;
    });
    std::string name = plain ? path_ : "FILE";  // names that need escaping are left to the user
    if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending)
      name.resize(name.size() - ending.size());
    return fmt::format(
        "convert it: python3 -c \"import numpy; a = numpy.load('{}'); numpy.save('{}-converted.npy', a.{})\"",
        plain ? path_ : "FILE.npy", name, method);
  }

  NpyDictionary dictionary_;
  const std::string& path_;
  NpyElements elements_;
  NpyShape wanted_;
};

}  // namespace

NpyHeader npy_header_of(const NpyDictionary& dictionary, const std::string& path, NpyElements elements,
                        NpyShape shape) {
  return HeaderReading(dictionary, path, elements, shape).header();
}

NpyHeader parse_npy_header(std::string_view text, const std::string& path, NpyElements elements, NpyShape shape) {
  return npy_header_of(parse_npy_dictionary(text, path), path, elements, shape);
}

std::string format_npy_header(const NpyHeader& header) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t prefix = 10;  // magic number, version and length
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}, {}), }}",
                  header.descriptor.empty() ? detail::element_type(header.type).numpy : header.descriptor,
                  header.fortran_order ? "True" : "False", header.rows, header.columns);
  dictionary.append(alignment - (prefix + dictionary.size() + 1) % alignment, ' ');
  dictionary += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dictionary.size() & 0xFF);
  text += static_cast<char>(dictionary.size() >> 8);
  return text + dictionary;
}

}  // namespace tilewright::tool
