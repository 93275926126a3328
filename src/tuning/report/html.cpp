#include "tuning/report/html.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "selection/json.hpp"
#include "selection/json_line.hpp"

namespace tilewright::tuning {

std::string readable(std::string_view text) {
  using Json = nlohmann::json;
  // nlohmann's writer replaces bytes that are not UTF-8.
  std::string result =
      detail::parse_json(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  for (char& c : result)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  return result;
}

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
        result += c;
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
  const int digits = magnitude < 0 ? 2 : 3;
  std::string text = fixed_number(number, std::clamp(digits - 1 - magnitude, 0, 9));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

}  // namespace tilewright::tuning
