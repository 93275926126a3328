// Formatting of numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace tilewright::tool {

/// Formats a time, for example "12.3 us".
std::string format_seconds(double seconds);

/// Formats a size, for example "64 KiB".
std::string format_bytes(std::uint64_t bytes);

/// Formats a number with at most three significant digits above 1 (the whole integer part from 1000 on) and two
/// below: "1234", "12.3", "0.0012".
std::string format_number(double number);

}  // namespace tilewright::tool
