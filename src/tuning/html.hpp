// Pieces of HTML text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tuning {

/// With the characters that mean something in HTML, in text or in a quoted attribute, written as entities; control
/// characters become spaces.
std::string escaped(std::string_view text);

/// Four significant digits at most, no exponent: "1234", "12.3", "0.00123".
std::string short_number(double number);

/// With so many digits behind the point, in any locale.
std::string fixed_number(double number, int digits);

/// <name>text</name>, the text escaped.
std::string element(std::string_view name, std::string_view text);

/// A table of text, escaped here; the first row is its header. Columns of numbers are set right.
std::string html_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace tilewright::tuning
