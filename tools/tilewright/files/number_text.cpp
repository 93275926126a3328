#include "files/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "runtime/system/plain_text.hpp"

namespace tilewright::tool {
namespace {

/// Skips a plus sign, which std::from_chars() rejects.
void skip_plus(std::string_view& text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
}

/// Parses Microsoft's infinities and NaNs: "1.#INF", "-1.#IND", "1.#QNAN0".
bool take_microsoft_special(std::string_view& text, double& value) {
  const bool negative = text.starts_with('-');
  const std::string_view rest = text.substr(negative ? 1 : 0);
  for (const std::string_view name : {"1.#INF", "1.#IND", "1.#QNAN", "1.#SNAN"}) {
    if (!rest.starts_with(name)) continue;
    value = name == "1.#INF" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (negative) value = -value;
    text = rest.substr(name.size());
    while (text.starts_with('0')) text.remove_prefix(1);  // zeros pad to the width of other numbers
    return true;
  }
  return false;
}

/// Parses numbers that std::from_chars() rejects: underflowing ones, and Fortran's exponents.
NumberText take_extended(std::string_view& text, double& value) {
  std::string number(text.substr(0, std::min(text.find_first_of(" \t"), text.size())));
  std::replace_if(
      number.begin(), number.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  std::size_t end = 0;
  value = detail::read_real(number, end);
  if (end == 0) return NumberText::none;
  if (std::isinf(value)) return NumberText::too_large;
  text.remove_prefix(end);
  return NumberText::number;
}

}  // namespace

NumberText take_index(std::string_view& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return NumberText::too_large;
  if (error != std::errc{}) return NumberText::none;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return NumberText::number;
}

NumberText take_real(std::string_view& text, double& value) {
  skip_plus(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const char next = end != text.data() + text.size() ? *end : ' ';
  if (next == '#' && take_microsoft_special(text, value)) return NumberText::number;
  if (error == std::errc::invalid_argument) return NumberText::none;
  const bool names_infinity =
      std::isinf(value) && std::string_view("iI").find(text[text[0] == '-' ? 1 : 0]) != std::string_view::npos;
  const bool in_range = error == std::errc{} && (!std::isinf(value) || names_infinity);
  if (!in_range || next == 'd' || next == 'D') return take_extended(text, value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return NumberText::number;
}

NumberText take_integer(std::string_view& text, double& value) {
  skip_plus(text);
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc::result_out_of_range) return NumberText::too_large;
  if (error != std::errc{}) return NumberText::none;
  constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<double>::digits;
  if (integer > most || integer < -most) return NumberText::too_large;
  value = static_cast<double>(integer);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return NumberText::number;
}

}  // namespace tilewright::tool
