#include "device_group/tile_order.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "device_group/portions.hpp"
#include "out_of_core/speeds.hpp"

namespace tilewright::detail {
namespace {

// A stack of blocks: its device numbers `first` to last - 1 have one block each.
struct Stack {
  std::size_t first, last;
};

// Cuts devices into this number of stacks of about the same number of devices.
std::vector<Stack> stacks_of(std::size_t devices, std::size_t count) {
  std::vector<Stack> stacks;
  for (std::size_t x = 0; x < count; ++x) stacks.push_back({devices * x / count, devices * (x + 1) / count});
  return stacks;
}

// Blocks of stacks that lie side by side along a side of `across` cells; the other side has `along` cells. Blocks are
// made as if stacks were next to each other from left to right.
std::vector<CellBlock> blocks_in_stacks(std::uint64_t along, std::uint64_t across, const std::vector<double>& weights,
                                        const std::vector<Stack>& stacks) {
  const auto begin = weights.begin();
  const auto at = [&](std::size_t device) { return begin + static_cast<std::ptrdiff_t>(device); };
  std::vector<double> sums;
  for (const Stack& stack : stacks) sums.push_back(std::accumulate(at(stack.first), at(stack.last), 0.0));
  std::vector<CellBlock> blocks;
  std::uint64_t column = 0;
  const std::vector<std::uint64_t> columns = portion_ends(across, sums);
  for (std::size_t x = 0; x < stacks.size(); ++x) {
    std::uint64_t row = 0;
    for (const std::uint64_t end : portion_ends(along, {at(stacks[x].first), at(stacks[x].last)})) {
      blocks.push_back({row, end - row, column, columns[x] - column});
      row = end;
    }
    column = columns[x];
  }
  return blocks;
}

// How much longer the devices need than with a division in exact proportion; at least 1.
double imbalance(const std::vector<CellBlock>& blocks, const std::vector<double>& weights) {
  double cells = 0, longest = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    cells += static_cast<double>(blocks[i].cells());
    longest = std::max(longest, static_cast<double>(blocks[i].cells()) / weights[i]);
  }
  return longest * std::accumulate(weights.begin(), weights.end(), 0.0) / std::max(cells, 1.0);
}

}  // namespace

double LineBytes::of(const CellBlock& block) const {
  if (block.cells() == 0) return 0;
  return static_cast<double>(block.rows) * row + static_cast<double>(block.columns) * column;
}

std::vector<CellBlock> blocks_of_grid(std::uint64_t rows, std::uint64_t columns, const std::vector<double>& speeds,
                                      const LineBytes& bytes) {
  std::vector<std::size_t> devices;
  std::vector<double> weights;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    if (is_usable_speed(speeds[i])) {
      devices.push_back(i);
      weights.push_back(limited_speed(speeds[i]));
    }
  if (devices.empty()) {
    devices.resize(speeds.size());
    std::iota(devices.begin(), devices.end(), 0);
    weights.assign(speeds.size(), 1);
  }
  std::vector<CellBlock> best;
  double least = std::numeric_limits<double>::infinity();
  const auto look_at = [&](std::vector<CellBlock> blocks) {
    double cost = 0;
    for (const CellBlock& block : blocks) cost += bytes.of(block);
    cost *= imbalance(blocks, weights);
    if (!best.empty() && !(cost < least)) return;
    least = cost;
    best = std::move(blocks);
  };
  for (std::size_t count = 1; count <= devices.size(); ++count) {
    const std::vector<Stack> stacks = stacks_of(devices.size(), count);
    look_at(blocks_in_stacks(rows, columns, weights, stacks));
    std::vector<CellBlock> turned = blocks_in_stacks(columns, rows, weights, stacks);
    for (CellBlock& block : turned) block = {block.column, block.columns, block.row, block.rows};
    look_at(std::move(turned));
  }
  std::vector<CellBlock> result(speeds.size());
  for (std::size_t i = 0; i < devices.size(); ++i) result[devices[i]] = best[i];
  return result;
}

std::vector<TileCell> growing_order(const std::vector<CellBlock>& blocks) {
  std::vector<TileCell> cells;
  for (const CellBlock& block : blocks) {
    const auto add = [&](std::uint64_t row, std::uint64_t column) {
      cells.emplace_back(block.row + row, block.column + column);
    };
    if (block.cells() == 0) continue;
    for (std::uint64_t shell = 0; shell < std::max(block.rows, block.columns); ++shell) {
      for (std::uint64_t row = 0; shell < block.columns && row < std::min(shell, block.rows); ++row) add(row, shell);
      for (std::uint64_t column = 0; shell < block.rows && column <= std::min(shell, block.columns - 1); ++column)
        add(shell, column);
    }
  }
  return cells;
}

}  // namespace tilewright::detail
