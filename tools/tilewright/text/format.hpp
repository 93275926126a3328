// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace tilewright::tool {

/// "12.34 us"
std::string format_seconds(double seconds);

/// "64 KiB"
std::string format_bytes(std::uint64_t bytes);

/// Four significant digits at most, never an exponent where it can be helped: "1234", "12.3", "0.00123".
std::string format_number(double number);

}  // namespace tilewright::tool
