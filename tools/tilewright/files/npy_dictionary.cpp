#include "files/npy_dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "files/file_error.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::uint64_t longest_header = 10000;  // NumPy's limit

/// NumPy's other names of types. Each means the machine's byte order, which is little-endian.
struct NumpyName {
  std::string_view name;
  std::string_view descriptor;
};
constexpr std::array numpy_names{
    NumpyName{"half", "<f2"},   NumpyName{"float16", "<f2"},     NumpyName{"e", "<f2"},
    NumpyName{"single", "<f4"}, NumpyName{"float32", "<f4"},     NumpyName{"f", "<f4"},
    NumpyName{"double", "<f8"}, NumpyName{"float64", "<f8"},     NumpyName{"d", "<f8"},
    NumpyName{"float", "<f8"},  NumpyName{"int8", "|i1"},        NumpyName{"b", "|i1"},
    NumpyName{"uint8", "|u1"},  NumpyName{"B", "|u1"},           NumpyName{"int16", "<i2"},
    NumpyName{"h", "<i2"},      NumpyName{"uint16", "<u2"},      NumpyName{"H", "<u2"},
    NumpyName{"int32", "<i4"},  NumpyName{"uint32", "<u4"},      NumpyName{"int64", "<i8"},
    NumpyName{"uint64", "<u8"}, NumpyName{"q", "<i8"},           NumpyName{"Q", "<u8"},
    NumpyName{"i", "<i4"},      NumpyName{"I", "<u4"},           NumpyName{"complex64", "<c8"},
    NumpyName{"F", "<c8"},      NumpyName{"complex128", "<c16"}, NumpyName{"complex", "<c16"},
    NumpyName{"D", "<c16"},     NumpyName{"bool", "|b1"},        NumpyName{"?", "|b1"}};

/// Returns the descriptor that NumPy writes for a type: "f4", "=f4" and "float32" become "<f4", and "<i1" becomes
/// "|i1".
std::string default_descriptor(std::string_view text) {
  constexpr std::string_view orders = "<>=|";
  const bool has_order = orders.find(text.front()) != std::string_view::npos;
  const char order = has_order ? text.front() : '=';
  const std::string_view rest = text.substr(has_order ? 1 : 0);
  for (const NumpyName& known : numpy_names) {
    if (rest != known.name) continue;
    std::string descriptor(known.descriptor);
    if (order == '>' && descriptor.front() == '<') descriptor.front() = '>';
    return descriptor;
  }
  const bool is_number = rest.size() >= 2 && std::string_view("biufc").find(rest[0]) != std::string_view::npos &&
                         rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!is_number) return std::string(text);
  const bool is_byte = rest.substr(1) == "1";
  return (is_byte ? '|' : order == '>' ? '>' : '<') + std::string(rest);
}

/// Parses the subset of Python literals that occurs in header dictionaries.
class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  NpyDictionary parse() {
    expect('{');
    while (!take('}')) {
      parse_entry();
      if (descriptor_ && descriptor_->empty()) return {};
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (!rest_.empty()) fail("text after the dictionary");
    if (!descriptor_ || !fortran_order_ || !shape_) fail("'descr', 'fortran_order' and 'shape' are all required");
    return {*descriptor_, *fortran_order_, *shape_};
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(FileErrorCode::malformed_header, name_, "malformed NumPy header: " + message);
  }

  void parse_entry() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr" && !descriptor_) {
      descriptor_ = parse_descriptor();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = parse_bool();
    } else if (key == "shape" && !shape_) {
      shape_ = parse_shape();
    } else {
      fail("an entry is unknown or repeated");
    }
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
    // Prefixes of plain string literals.
    if (!rest_.empty() && std::string_view("uUrR").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) fail("a string is missing");
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail("a string does not end");
    const std::string_view content = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return content;
  }

  std::string parse_descriptor() {
    if (take('[') || take('(')) return {};  // records or subarrays
    const std::string_view descriptor = parse_string();
    if (descriptor.empty()) fail("'descr' is empty");
    return default_descriptor(descriptor);
  }

  bool parse_bool() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (rest_.substr(0, word.size()) != word) continue;
      rest_.remove_prefix(word.size());
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
    if (rest_.size() > 1 && rest_[0] == '+' && rest_[1] != '-') rest_.remove_prefix(1);
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    if (error == std::errc::result_out_of_range) {
      throw FileError(FileErrorCode::size_overflow, name_, "a dimension is larger than 2^64 - 1");
    }
    if (error != std::errc{}) fail("a dimension is not a whole number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take('L');  // suffix of Python 2's long integers
    return extent;
  }

  std::string_view rest_;
  const std::string& name_;
  std::optional<std::string> descriptor_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

std::uint64_t read_header_length(ByteSource& source) {
  std::array<char, 8> start{};
  const std::uint64_t size = source.left(), count = std::min<std::uint64_t>(size, start.size());
  source.read(start.data(), count, "magic number");
  if (count < start.size() || std::string_view(start.data(), magic.size()) != magic)
    throw FileError(FileErrorCode::not_npy, source.name(),
                    size == 0 ? std::string("is not a NumPy array file (.npy): it is empty")
                              : fmt::format("is not a NumPy array file (.npy): it begins with {}, not with the byte 93 "
                                            "(hexadecimal) and 'NUMPY'",
                                            in_quotes(std::string_view(start.data(), count))));
  const auto version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0) {
    throw FileError(FileErrorCode::unsupported_version, source.name(),
                    fmt::format("NumPy format version {}.{} is not supported; versions 1.0 to 3.0 are", version,
                                static_cast<unsigned char>(start[7])));
  }
  std::array<unsigned char, 4> length{};
  source.read(length.data(), version == 1 ? 2 : 4, "header length");
  return std::uint64_t{length[0]} | std::uint64_t{length[1]} << 8 | std::uint64_t{length[2]} << 16 |
         std::uint64_t{length[3]} << 24;
}

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

NpyDictionary read_npy_dictionary(ByteSource& source) {
  const std::uint64_t header_length = read_header_length(source);
  if (header_length > longest_header) {
    throw FileError(FileErrorCode::oversized_header, source.name(),
                    fmt::format("the header has {} bytes; the limit is {}", header_length, longest_header));
  }
  std::string text(static_cast<std::size_t>(header_length), '\0');
  source.read(text.data(), header_length, "header");
  return parse_npy_dictionary(text, source.name());
}

}  // namespace tilewright::tool
