#include "text/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tilewright::tool {

std::string format_seconds(double seconds) {
  if (seconds >= 1) return format_number(seconds) + " s";
  if (seconds >= 1e-3) return format_number(seconds * 1e3) + " ms";
  return format_number(seconds * 1e6) + " us";
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (number >= 1024 && unit + 1 < units.size()) {
    number /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", number, number == std::floor(number) ? 0 : 1, units[unit]);
}

std::string format_number(double number) {
  if (number >= 999.5) return fmt::format("{:.0f}", number);
  if (number >= 1) return fmt::format("{:.3g}", number);
  return fmt::format("{:.2g}", number);
}

}  // namespace tilewright::tool
