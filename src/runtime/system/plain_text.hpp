// Text and numbers that no locale changes: neither setlocale() nor uselocale() nor std::locale::global().
// tests/locale_test.cpp refuses the functions of C and C++ that depend on a locale everywhere else.
#pragma once

#include <charconv>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <locale>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::detail {

// ASCII only: bytes of other characters are neither letters nor spaces and keep their values.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower_case(std::string_view text);

/// The words between white space.
std::vector<std::string> words_in(std::string_view text);

/// The parts between separators, which may be empty. A separator at the end is not followed by another part.
std::vector<std::string> split(std::string_view text, char separator);

/// A number as "%.*g" writes it in the C locale.
std::string general_text(double value, int significant_digits = 6);

/// A number as "%.*f" writes it in the C locale.
std::string fixed_text(double value, int decimals);

/// A number in 16 hexadecimal digits.
std::string hexadecimal_text(std::uint64_t value);

/// A day of UTC as "2026-01-31".
std::string date_text(std::time_t time);

/// Reads a real number from the front of a text as strtod() does in the C locale; `end` receives the number of
/// characters read, 0 if there is no number. Numbers that are too large become infinite.
double read_real(const std::string& text, std::size_t& end);

/// The number that the whole text is, as read_real() reads it; nothing if the text is no number.
std::optional<double> parse_real(const std::string& text);

/// The whole number that the whole text is; nothing if the text is no whole number or does not fit the type.
template <class Whole>
std::optional<Whole> find_whole(std::string_view text) {
  Whole value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// The same, but throws std::invalid_argument instead of returning nothing.
template <class Whole>
Whole parse_whole(std::string_view text) {
  if (const auto value = find_whole<Whole>(text)) return *value;
  throw std::invalid_argument("'" + std::string(text) + "' is not a whole number that its field can hold");
}

/// A stream that builds a text.
class TextStream : public std::ostringstream {
 public:
  TextStream() { imbue(std::locale::classic()); }
};

/// A file's bytes.
class ByteStream : public std::ifstream {
 public:
  explicit ByteStream(const std::string& path) {
    imbue(std::locale::classic());
    open(path, std::ios::binary);
  }
};

/// While one lives, its thread is in the C locale: for calls of other libraries that read or write numbers.
class CLocale {
 public:
  CLocale();
  ~CLocale();
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  void* former_;  ///< a locale_t
};

}  // namespace tilewright::detail
