#include "files/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "files/file_error.hpp"
#include "kernels/element_type.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// Reads the few kinds of Python literals that such a header is made of.
class Parser {
 public:
  Parser(std::string_view text, const std::string& path, NpyElements elements, NpyShape wanted)
      : rest_(text), path_(path), elements_(elements), wanted_(wanted) {}

  NpyHeader parse() {
    expect('{');
    while (!take('}')) {
      parse_entry();
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (!rest_.empty()) fail("text behind the dictionary");
    if (!type_ || !fortran_order_ || !shape_) fail("'descr', 'fortran_order' and 'shape' are all needed");
    if (wanted_ == NpyShape::vector) make_column();
    return make_header();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(FileErrorCode::malformed_header, path_, "malformed NumPy header: " + message);
  }

  void parse_entry() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr" && !type_) {
      type_ = elements_ == NpyElements::any ? parse_descriptor() : parse_type();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = parse_bool();
    } else if (key == "shape" && !shape_) {
      shape_ = parse_shape();
    } else {
      fail("an entry that is unknown or there twice");
    }
  }

  void make_column() {
    std::vector<std::uint64_t>& shape = *shape_;
    if (shape.size() == 1) shape.push_back(1);
    if (shape.size() == 2 && shape[0] == 1) std::swap(shape[0], shape[1]);
    if (shape.size() != 2 || shape[1] != 1)
      throw FileError(FileErrorCode::unsupported_dimensions, path_, "the array is no vector, which has one dimension");
  }

  NpyHeader make_header() const {
    if (shape_->size() != 2) {
      throw FileError(FileErrorCode::unsupported_dimensions, path_,
                      fmt::format("the array has {}, a matrix has 2; {}", count_of(shape_->size(), "dimension"),
                                  conversion(shape_->size() < 2 ? "reshape(-1, 1)" : "reshape(-1, a.shape[-1])")));
    }
    NpyHeader header{*type_, *fortran_order_, (*shape_)[0], (*shape_)[1], descriptor_, moved_bytes_};
    // Stream offsets are signed, which halves what can be addressed.
    constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t most_elements = most_bytes / header.element_bytes();
    if (header.columns > most_elements || (header.columns != 0 && header.rows > most_elements / header.columns)) {
      throw FileError(FileErrorCode::size_overflow, path_,
                      fmt::format("{} x {} elements are more than can be addressed", header.rows, header.columns));
    }
    return header;
  }

  void skip_spaces() {
    const std::size_t count = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(count == std::string_view::npos ? rest_.size() : count);
  }

  bool take(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("'{}' is missing", wanted));
  }

  std::string_view parse_string() {
    skip_spaces();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) fail("a string is missing");
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail("a string does not end");
    const std::string_view content = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return content;
  }

  // Byte order, kind, size, and of times a unit: "<f4", ">i8", "|b1", "<U2", "<M8[ns]". A letter of text has 4 bytes.
  DataType parse_descriptor() {
    skip_spaces();
    if (!rest_.empty() && rest_.front() == '[')
      throw FileError(FileErrorCode::unsupported_type, path_,
                      "elements are records of named fields; view them as bytes: numpy.load(FILE).view('V16')");
    descriptor_ = parse_string();
    const std::string_view name = descriptor_;
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
      return std::isalnum(c) != 0 || std::string_view("<>|=[]").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (error != std::errc{} || (stop != end && !has_unit) || !is_size || !plain)
      throw FileError(FileErrorCode::unsupported_type, path_,
                      fmt::format("elements are {}; expected any of 1, 2, 4, 8 or 16 bytes", in_quotes(name)));
    moved_bytes_ = static_cast<std::size_t>(bytes);
    return DataType::f32;
  }

  DataType parse_type() {
    skip_spaces();
    if (!rest_.empty() && rest_.front() == '[') {
      throw FileError(FileErrorCode::unsupported_type, path_,
                      "elements are records of named fields; take the one that is meant: numpy.load(FILE)['FIELD']");
    }
    const std::string_view name = parse_string();
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

  /// What to do with the bits of a type that NumPy lacks, if elements of that name may be such bits.
  static std::string hint_at_bits(std::string_view name) {
    for (const detail::ElementType& known : detail::element_types())
      if (name == known.numpy)
        return fmt::format("; if they are the bits of {}, give --type {}", known.description, known.name);
    return {};
  }

  /// Says what the elements are and how NumPy makes floats of them, exactly where it can.
  [[noreturn]] void fail_type(std::string_view name) const {
    struct Kind {
      std::string_view code;  // after the byte order
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
                                  hint_at_bits(name), conversion(fmt::format("astype('{}')", kind.target))));
    }
    throw FileError(FileErrorCode::unsupported_type, path_,
                    fmt::format("elements are {}; expected {}", in_quotes(name), known_types()));
  }

  /// One line for a shell that writes the array anew as a file that can be read.
  std::string conversion(std::string_view method) const {
    constexpr std::string_view ending = ".npy";
    const bool plain = std::all_of(path_.begin(), path_.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::string_view("/._-+=,: ").find(static_cast<char>(c)) != std::string_view::npos;
    });
    std::string name = plain ? path_ : "FILE";  // what would need escapes is left to the user
    if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending)
      name.resize(name.size() - ending.size());
    return fmt::format(
        "convert it: python3 -c \"import numpy; a = numpy.load('{}'); numpy.save('{}-converted.npy', a.{})\"",
        plain ? path_ : "FILE.npy", name, method);
  }

  bool parse_bool() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view name = value ? "True" : "False";
      if (rest_.substr(0, name.size()) != name) continue;
      rest_.remove_prefix(name.size());
      return value;
    }
    fail("'fortran_order' is neither True nor False");
  }

  std::vector<std::uint64_t> parse_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!take(')')) {
      shape.push_back(parse_extent());
      if (take(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }

  std::uint64_t parse_extent() {
    skip_spaces();
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    if (error == std::errc::result_out_of_range) {
      throw FileError(FileErrorCode::size_overflow, path_, "a dimension is more than can be addressed");
    }
    if (error != std::errc{}) fail("a dimension is no whole number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return extent;
  }

  std::string_view rest_;
  const std::string& path_;
  NpyElements elements_;
  NpyShape wanted_;
  std::optional<DataType> type_;
  std::string descriptor_;
  std::size_t moved_bytes_ = 0;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& path, NpyElements elements, NpyShape shape) {
  return Parser(text, path, elements, shape).parse();
}

std::string format_npy_header(const NpyHeader& header) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t prefix = 10;  // magic, version, length
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
