#include "runtime/system/plain_text.hpp"

#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__) || defined(__FreeBSD__)
#include <xlocale.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <new>

namespace tilewright::detail {
namespace {

// Never freed: a thread may use it while the process ends.
locale_t c_locale() {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", locale_t{});
  if (locale == locale_t{}) throw std::bad_alloc();
  return locale;
}

// Large enough for every double: a sign, 309 digits, a point and 17 decimals.
std::string written(double value, std::chars_format format, int precision) {
  std::array<char, 352> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, format, std::min(precision, 17));
  return {text.data(), result.ptr};
}

std::string padded(std::uint64_t number, std::size_t digits, int base) {
  std::array<char, 24> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), number, base);
  const std::string short_text(text.data(), result.ptr);
  return std::string(digits - std::min(digits, short_text.size()), '0') + short_text;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_case(c);
  return result;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && !is_space(text[i])) ++i;
    words.emplace_back(text.substr(begin, i - begin));
  }
  return words;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string general_text(double value, int significant_digits) {
  return written(value, std::chars_format::general, significant_digits);
}

std::string fixed_text(double value, int decimals) { return written(value, std::chars_format::fixed, decimals); }

std::string hexadecimal_text(std::uint64_t value) { return padded(value, 16, 16); }

std::string date_text(std::time_t time) {
  using namespace std::chrono;
  const year_month_day day(floor<days>(system_clock::from_time_t(time)));
  return padded(static_cast<std::uint64_t>(static_cast<int>(day.year())), 4, 10) + '-' +
         padded(static_cast<unsigned>(day.month()), 2, 10) + '-' + padded(static_cast<unsigned>(day.day()), 2, 10);
}

double read_real(const std::string& text, std::size_t& end) {
  end = 0;
  if (text.empty() || is_space(text.front())) return 0;
  char* stop = nullptr;
  const double value = strtod_l(text.c_str(), &stop, c_locale());
  end = static_cast<std::size_t>(stop - text.c_str());
  return value;
}

std::optional<double> parse_real(const std::string& text) {
  std::size_t end = 0;
  const double value = read_real(text, end);
  if (end == 0 || end != text.size()) return {};
  return value;
}

CLocale::CLocale() : former_(uselocale(c_locale())) {}
CLocale::~CLocale() { uselocale(static_cast<locale_t>(former_)); }

}  // namespace tilewright::detail
