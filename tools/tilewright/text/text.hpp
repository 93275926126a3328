// Sanitising of text from outside, and formatting of words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tool {

/// Returns valid UTF-8 without control characters except line breaks and tabs; replaces the rest by '?'. This keeps
/// names of devices and files from controlling the terminal.
std::string printable(std::string_view text);

/// Returns the text in single quotes, printable, on one line, cut after 60 characters.
std::string in_quotes(std::string_view text);

/// Returns the number of columns of valid UTF-8: one per code point.
std::size_t display_width(std::string_view text);

/// Returns for example "1 shape" or "2 shapes".
std::string count_of(std::uint64_t count, std::string_view noun);

/// Returns for example "a", "a or b" or "a, b or c".
std::string join_words(const std::vector<std::string>& words, std::string_view last = "or");

/// Wraps text at spaces and commas to lines of at most `width` columns. The first line starts at column `start`; the
/// others are indented by `indent` spaces. A width of 0 disables wrapping.
std::string wrap(std::string_view text, std::size_t width, std::size_t start, std::size_t indent);

}  // namespace tilewright::tool
