#include "files/npy_dictionary.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "files/file_error.hpp"

namespace tilewright::tool {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::uint64_t longest_header = 10000;  // NumPy's own limit

/// Reads the few kinds of Python literals that such a dictionary is made of.
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
    if (!rest_.empty()) fail("text behind the dictionary");
    if (!descriptor_ || !fortran_order_ || !shape_) fail("'descr', 'fortran_order' and 'shape' are all needed");
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
      fail("an entry that is unknown or there twice");
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
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) fail("a string is missing");
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail("a string does not end");
    const std::string_view content = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return content;
  }

  std::string parse_descriptor() {
    if (take('[')) return {};
    const std::string_view descriptor = parse_string();
    if (descriptor.empty()) fail("'descr' is empty");
    return std::string(descriptor);
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
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
    if (error == std::errc::result_out_of_range) {
      throw FileError(FileErrorCode::size_overflow, name_, "a dimension is more than can be addressed");
    }
    if (error != std::errc{}) fail("a dimension is no whole number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
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
  if (source.left() < start.size())
    throw FileError(FileErrorCode::not_npy, source.name(), "is no NumPy array file (.npy)");
  source.read(start.data(), start.size(), "magic number");
  if (std::string_view(start.data(), magic.size()) != magic) {
    throw FileError(FileErrorCode::not_npy, source.name(), "is no NumPy array file (.npy)");
  }
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
                    fmt::format("a header of {} bytes; {} are the limit", header_length, longest_header));
  }
  std::string text(static_cast<std::size_t>(header_length), '\0');
  source.read(text.data(), header_length, "header");
  return parse_npy_dictionary(text, source.name());
}

}  // namespace tilewright::tool
