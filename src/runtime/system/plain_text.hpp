// Text and numbers that no locale changes: not setlocale(), uselocale() or std::locale::global().
// tests/locale_test.cpp rejects the locale-dependent functions of C and C++ everywhere else.
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

// ASCII only: other bytes are neither letters nor spaces and keep their values.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string lower_case(std::string_view text);

/// Splits a text at white space.
std::vector<std::string> split_words(std::string_view text);

/// Splits a text at separators. Parts may be empty; a separator at the end starts no part.
std::vector<std::string> split(std::string_view text, char separator);

/// Writes a number like "%.*g" in the C locale.
std::string general_text(double value, int significant_digits = 6);

/// Writes a number like "%.*f" in the C locale.
std::string fixed_text(double value, int decimals);

/// Writes a number as 16 hexadecimal digits.
std::string hexadecimal_text(std::uint64_t value);

/// Writes a day in UTC, for example "2026-01-31".
std::string date_text(std::time_t time);

/// Reads a real number from the front of a text, like strtod() in the C locale. `end` receives the number of characters
/// read, or 0 if there is no number. Numbers that are too large become infinite.
double read_real(const std::string& text, std::size_t& end);

/// Reads a whole text as a number, like read_real(); nothing if the text is not a number.
std::optional<double> parse_real(const std::string& text);

/// Reads a whole text as an integer; nothing if the text is no integer or does not fit the type.
template <class Whole>
std::optional<Whole> find_whole(std::string_view text) {
  Whole value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// Reads a whole text as an integer; throws std::invalid_argument if the text is no integer or does not fit the type.
template <class Whole>
Whole parse_whole(std::string_view text) {
  if (const auto value = find_whole<Whole>(text)) return *value;
  throw std::invalid_argument("'" + std::string(text) + "' is not a whole number that its field can hold");
}

/// An output stream that builds a text.
class TextStream : public std::ostringstream {
 public:
  TextStream() { imbue(std::locale::classic()); }
};

/// An input stream of a file's bytes.
class ByteStream : public std::ifstream {
 public:
  explicit ByteStream(const std::string& path) {
    imbue(std::locale::classic());
    open(path, std::ios::binary);
  }
};

/// Puts its thread into the C locale while it exists, for calls of other libraries that read or write numbers.
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
