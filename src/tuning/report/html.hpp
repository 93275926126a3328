// Texts of a page: readable numbers, and HTML's special characters.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::tuning {

/// Returns valid UTF-8: invalid bytes become U+FFFD, control characters become spaces.
std::string readable(std::string_view text);

/// Returns a text with HTML's special characters as entities, for use as text or in a quoted attribute.
std::string escaped(std::string_view text);

/// Writes a number with at least three significant digits, two below 1, and no exponent: "1234", "12.3", "0.0012". The
/// command uses the same format.
std::string short_number(double number);

/// Writes a number with `digits` decimals, in any locale.
std::string fixed_number(double number, int digits);

}  // namespace tilewright::tuning
