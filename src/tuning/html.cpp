#include "tuning/html.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tilewright::tuning {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  return result;
}

std::string fixed_number(double number, int digits) {
  std::array<char, 400> buffer;  // the largest double has 309 digits before the point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed, digits);
  return {buffer.data(), end.ptr};
}

std::string short_number(double number) {
  if (number == 0 || !std::isfinite(number)) return fixed_number(number, 0);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(number))));
  std::string text = fixed_number(number, std::clamp(2 - magnitude, 0, 9));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string element(std::string_view name, std::string_view text) {
  const std::string tag(name);
  return "<" + tag + ">" + escaped(text) + "</" + tag + ">\n";
}

std::string html_table(const std::vector<std::vector<std::string>>& rows) {
  const auto is_numeric = [](const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789.,+-%x ") == std::string::npos;
  };
  std::string result = "<div class=\"wide\"><table>\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string tag = row == 0 ? "th" : "td";
    result += "<tr>";
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const bool numeric = is_numeric(rows.back()[column]);
      result += "<" + tag + (numeric ? " class=\"number\">" : ">") + escaped(rows[row][column]) + "</" + tag + ">";
    }
    result += "</tr>\n";
  }
  return result + "</table></div>\n";
}

}  // namespace tilewright::tuning
