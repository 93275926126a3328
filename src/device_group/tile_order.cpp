#include "device_group/tile_order.hpp"

#include <algorithm>

#include "device_group/portions.hpp"

namespace tilewright::detail {

std::uint64_t widest_band(std::uint64_t lines, const std::vector<double>& speeds) {
  std::uint64_t widest = 0, begin = 0;
  for (const std::uint64_t end : portion_ends(lines, speeds)) {
    widest = std::max(widest, end - begin);
    begin = end;
  }
  return widest;
}

std::vector<TileCell> growing_order(std::uint64_t rows, std::uint64_t columns, const std::vector<double>& speeds) {
  const bool by_rows = rows >= columns;
  const std::uint64_t across = by_rows ? columns : rows;
  std::vector<TileCell> cells;
  std::uint64_t begin = 0;
  const auto add = [&](std::uint64_t line, std::uint64_t place) {
    cells.push_back(by_rows ? TileCell{begin + line, place} : TileCell{place, begin + line});
  };
  for (const std::uint64_t end : portion_ends(by_rows ? rows : columns, speeds)) {
    const std::uint64_t lines = end - begin;
    for (std::uint64_t shell = 0; shell < std::max(lines, across); ++shell) {
      for (std::uint64_t line = 0; shell < across && line < std::min(shell, lines); ++line) add(line, shell);
      for (std::uint64_t place = 0; shell < lines && place <= std::min(shell, across - 1); ++place) add(shell, place);
    }
    begin = end;
  }
  return cells;
}

}  // namespace tilewright::detail
