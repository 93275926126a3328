// Parsing of numbers as other programs write them.
#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright::tool {

/// Outcome of parsing a number.
enum class NumberText {
  number,
  none,      ///< not a number
  too_large  ///< exceeds its type's range
};

/// Removes an unsigned whole number from the front of the text.
NumberText take_index(std::string_view& text, std::uint64_t& value);

/// Removes a real number from the front of the text. Accepts a sign, "1e5", Fortran's "1.0D+5", and NaN and infinities
/// in the forms of C, Python, MATLAB and Microsoft's C library. Numbers too small for a double become 0 or subnormal.
NumberText take_real(std::string_view& text, double& value);

/// Removes an integer from the front of the text. A double must hold it exactly, otherwise it is too_large.
NumberText take_integer(std::string_view& text, double& value);

}  // namespace tilewright::tool
