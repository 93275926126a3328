// Texts for a page: numbers as people read them, and HTML's special characters.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::tuning {

/// Valid UTF-8: bytes that are not become U+FFFD, control characters spaces.
std::string readable(std::string_view text);

/// With the characters that mean something in HTML, in text or in a quoted attribute, written as entities.
std::string escaped(std::string_view text);

/// Three significant digits at least, two below 1, no exponent: "1234", "12.3", "0.0012"; as the command writes them.
std::string short_number(double number);

/// With so many digits after the point, in any locale.
std::string fixed_number(double number, int digits);

}  // namespace tilewright::tuning
