#include "text/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilewright::tool {
namespace {

constexpr std::size_t max_quoted = 60;

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Returns the length in bytes of the first code point; 0 if it is invalid UTF-8.
std::size_t code_point_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if (!continues(text[i])) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F;
  const bool too_large = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || too_large ? 0 : size;
}

bool is_control(std::string_view code_point) {
  const auto first = static_cast<unsigned char>(code_point[0]);
  if (code_point.size() == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(code_point[1]) < 0xA0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = code_point_size(text);
    const std::string_view point = text.substr(0, std::max<std::size_t>(size, 1));
    if (size == 0 || is_control(point)) {
      result += '?';
    } else {
      result += point;
    }
    text.remove_prefix(point.size());
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  std::string shown = printable(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c == '\n' || c == '\t'; }, '?');
  if (display_width(shown) > max_quoted) {
    std::size_t end = max_quoted;
    while (continues(shown[end])) --end;
    shown = shown.substr(0, end) + "...";
  }
  return '\'' + shown + '\'';
}

std::size_t display_width(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string count_of(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string join_words(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
    text += words[i];
  }
  return text;
}

std::string wrap(std::string_view text, std::size_t width, std::size_t start, std::size_t indent) {
  if (width == 0) return std::string(text);
  std::string result;
  std::size_t column = start;
  bool fresh = true;  // the line has only its indentation so far
  while (!text.empty()) {
    std::size_t end = text.find_first_of(" ,");
    end = end == std::string_view::npos ? text.size() : end + 1;
    const std::string_view piece = text.substr(0, end);
    const std::string_view shown = piece.substr(0, piece.find_last_not_of(' ') + 1);
    if (!fresh && column + display_width(shown) > width) {
      result.erase(result.find_last_not_of(' ') + 1);
      result += '\n' + std::string(indent, ' ');
      column = indent;
    }
    result += piece;
    column += display_width(piece);
    fresh = false;
    text.remove_prefix(end);
  }
  return result;
}

}  // namespace tilewright::tool
