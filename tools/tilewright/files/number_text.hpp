// Numbers in text, as programs of all kinds write them.
#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright::tool {

/// What reading a number came to.
enum class NumberText {
  number,
  none,      ///< no number
  too_large  ///< of more than its type holds
};

/// Takes an unsigned whole number from the front of the text.
NumberText take_index(std::string_view& text, std::uint64_t& value);

/// Takes a real number from the front of the text: with a sign or without, "1e5", Fortran's "1.0D+5", NaN and
/// infinities as C, Python, MATLAB and Microsoft's C library write them. What is too small for a double becomes 0 or
/// subnormal.
NumberText take_real(std::string_view& text, double& value);

/// The same of an integer, which a double must hold exactly.
NumberText take_integer(std::string_view& text, double& value);

}  // namespace tilewright::tool
