#include "format.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  if (number >= 1000) return fmt::format("{:.0f}", number);
  if (number >= 1) return fmt::format("{:.3g}", number);
  return fmt::format("{:.2g}", number);
}

std::string Table::to_string() const {
  const auto entry = [&](const std::vector<std::string>& row, std::size_t i) {
    return i < row.size() ? row[i] : std::string();
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);

  std::string text;
  const auto add_line = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::size_t width = titles[i].size();
      for (const auto& other : rows_) width = std::max(width, entry(other, i).size());
      if (i > 0) line += "  ";
      line += columns_[i].right_aligned ? fmt::format("{:>{}}", entry(row, i), width)
                                        : fmt::format("{:<{}}", entry(row, i), width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  add_line(titles);
  for (const auto& row : rows_) add_line(row);
  return text;
}

}  // namespace tilewright::tool
