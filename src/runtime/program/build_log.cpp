#include "runtime/program/build_log.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

namespace tilewright::detail {
namespace {

constexpr std::string_view spelling = "<Spelling=";

// A file within the source. Its first line is line `begin` of the whole source, counted from 1.
struct SourceFile {
  std::string_view name;
  std::size_t begin;
};

// Reads directives of the form that kernel_source() writes: #line 1 "NAME".
std::vector<SourceFile> files_of(std::string_view source) {
  constexpr std::string_view directive = "#line 1 \"";
  std::vector<SourceFile> files;
  std::size_t number = 1;
  for (std::size_t at = 0; at < source.size(); ++number) {
    const std::size_t end = std::min(source.find('\n', at), source.size());
    std::string_view line = source.substr(at, end - at);
    if (line.starts_with(directive)) {
      line.remove_prefix(directive.size());
      files.push_back({line.substr(0, line.find('"')), number + 1});
    }
    at = end + 1;
  }
  return files;
}

bool is_foreign_name(std::string_view name, const std::vector<SourceFile>& files) {
  const bool is_kernel = name.ends_with(".cl") || (name.starts_with('<') && name.ends_with('>'));
  return is_kernel && std::none_of(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
}

// Translates "NAME:12" at the start of a word, followed by a colon, to the file and line of line 12 of the whole
// source. Returns an empty string for any other word. `length` receives the number of characters to replace.
std::string place_in_file(std::string_view word, const std::vector<SourceFile>& files, std::size_t& length) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || !is_foreign_name(word.substr(0, colon), files)) return {};
  std::size_t line = 0;
  const char* const first = word.data() + colon + 1;
  const auto [end, error] = std::from_chars(first, word.data() + word.size(), line);
  if (error != std::errc() || end == word.data() + word.size() || *end != ':') return {};
  const auto next = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.begin > line; });
  if (next == files.begin()) return {};
  length = static_cast<std::size_t>(end - word.data());
  return std::string((next - 1)->name) + ':' + std::to_string(line - (next - 1)->begin + 1);
}

}  // namespace

std::string with_source_places(std::string_view log, std::string_view source) {
  const std::vector<SourceFile> files = files_of(source);
  std::string located;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find_first_of(" \t\n", at), log.size());
    const std::string_view word = log.substr(at, end - at);
    // Clang gives the definition of a macro as <Spelling=NAME:12:7>, after the place of its use.
    const std::size_t prefix = word.starts_with(spelling) ? spelling.size() : 0;
    std::size_t length = 0;
    located += word.substr(0, prefix);
    located += place_in_file(word.substr(prefix), files, length);
    located += word.substr(prefix + length);
    if (end < log.size()) located += log[end];
    at = end + 1;
  }
  return located;
}

}  // namespace tilewright::detail
