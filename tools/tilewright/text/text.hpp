// Text that came from outside, made fit to be shown, and words for numbers of things.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tool {

/// Text without control characters but line breaks and tabs, in valid UTF-8: what is neither becomes '?'. Names of
/// devices and files must not command the terminal.
std::string printable(std::string_view text);

/// 'text', printable, on one line and cut after 60 characters.
std::string in_quotes(std::string_view text);

/// How many columns valid UTF-8 takes: one for each code point.
std::size_t display_width(std::string_view text);

/// "1 shape", "2 shapes"
std::string count_of(std::uint64_t count, std::string_view noun);

/// "a", "a or b", "a, b or c"
std::string join_words(const std::vector<std::string>& words, std::string_view last = "or");

/// Lines of at most `width` columns where spaces and commas allow; all but the first begin with `indent` spaces. The
/// first one starts at column `start`. A width of 0 breaks nothing.
std::string wrap(std::string_view text, std::size_t width, std::size_t start, std::size_t indent);

}  // namespace tilewright::tool
