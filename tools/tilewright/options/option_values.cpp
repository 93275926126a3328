#include "options/option_values.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/system/plain_text.hpp"
#include "text/suggest.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

using detail::parse_real;

bool names_infinity(const std::string& text) { return text.find_first_of("iI") != std::string::npos; }

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const std::string range = fmt::format("from {} to {}", least, most);
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const auto value = detail::find_whole<std::uint64_t>(text);
        if (!value || *value < least || *value > most)
          return fmt::format("{} is not a whole number {}", in_quotes(text), range);
        text = std::to_string(*value);  // leading zeros would make it octal
        return {};
      },
      range);
}

CLI::Validator byte_size() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        constexpr std::string_view units = "kMGT";
        std::string digits = text;
        double factor = 1;
        if (!digits.empty())
          if (const auto unit = units.find(digits.back() == 'K' ? 'k' : digits.back());
              unit != std::string_view::npos) {
            digits.pop_back();
            factor = std::ldexp(1.0, 10 * static_cast<int>(unit + 1));
          }
        const std::optional<double> value = parse_real(digits);
        const double bytes = value ? std::floor(*value * factor) : 0;
        if (!(bytes >= 1) || bytes >= 0x1p63) return in_quotes(text) + " is not a number of bytes such as 512M or 1.5G";
        text = std::to_string(static_cast<std::uint64_t>(bytes));
        return {};
      },
      "bytes, with k, M, G or T");
}

CLI::Validator real_number(bool infinite) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const std::optional<double> value = parse_real(text);
        if (!value || (!infinite && !std::isfinite(*value))) return in_quotes(text) + " is not a number";
        if (std::isinf(*value) && !names_infinity(text)) return in_quotes(text) + " is too large a number";
        return {};
      },
      "");
}

std::optional<std::complex<double>> parse_complex(const std::string& text) {
  if (const auto real = parse_real(text)) return std::complex<double>(*real);
  if (!text.ends_with('i')) return {};
  // Find the sign that starts the imaginary part: the last one that does not belong to an exponent.
  std::size_t sign = text.find_last_of("+-");
  while (sign != std::string::npos && sign > 0 && (text[sign - 1] == 'e' || text[sign - 1] == 'E'))
    sign = text.find_last_of("+-", sign - 1);
  const std::size_t begin = sign == std::string::npos ? 0 : sign;
  std::string imaginary = text.substr(begin, text.size() - begin - 1);
  if (imaginary.empty() || imaginary == "+" || imaginary == "-") imaginary += '1';
  const std::optional<double> real = begin == 0 ? 0.0 : parse_real(text.substr(0, begin));
  const auto other = parse_real(imaginary);
  if (!real || !other) return {};
  return std::complex(*real, *other);
}

CLI::Validator complex_number() {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const auto value = parse_complex(text);
        if (!value) return in_quotes(text) + " is not a number";
        if ((std::isinf(value->real()) && !names_infinity(text)) || std::isinf(value->imag()))
          return in_quotes(text) + " is too large a number";
        return {};
      },
      "");
}

CLI::Validator positive_number(double most) {
  const std::string range = fmt::format("above 0, at most {}", most);
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const std::optional<double> value = parse_real(text);
        if (!value || !(*value > 0) || *value > most)
          return fmt::format("{} is not a number {}", in_quotes(text), range);
        return {};
      },
      range);
}

CLI::Validator one_of(std::string kind, std::vector<std::string> known) {
  return CLI::Validator(
      [kind = std::move(kind), known = std::move(known)](std::string& text) -> std::string {
        if (std::find(known.begin(), known.end(), text) != known.end()) return {};
        return unknown_word(kind, text, known);
      },
      "");
}

}  // namespace tilewright::tool
