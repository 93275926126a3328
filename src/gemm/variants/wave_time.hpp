// Predicts the time of a product on a GPU, in cycles of a compute unit. Its work-groups run in waves, as many at a time
// as the compute units hold. The idea is that of analytical models of GEMM, such as Origami (arXiv:2512.04226) and
// Stream-K (arXiv:2301.03598). The constants are those of the device: wave_constants.hpp.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gemm/variants/split_k.hpp"
#include "gemm/wave_constants.hpp"

namespace tilewright::detail {

/// Cycles of a work-group.
struct GroupTime {
  double step = 0;       ///< per step of k and group that shares the compute unit
  double alone = 0;      ///< minimum per step of k, however few groups share the compute unit
  double start = 0;      ///< per wave, before its first step
  double finish = 0;     ///< per group, after its last step
  double at_once = 1;    ///< groups that a compute unit runs at a time, a whole number
  double warps = 4;      ///< per group
  double reads = 0;      ///< elements of A and B that a group reads per step of k
  double read_rate = 0;  ///< bytes of these reads per cycle and compute unit, from the device's cache
  double moving = 1;     ///< factor of the time to move the matrices from and to memory
  double not_hidden =
      0;  ///< share of the shorter of the times of these reads and of memory that the other does not hide
  LaunchTime launches{};
};

/// The time of a table's tiles on a device with these factors.
inline GroupTime scaled(GroupTime time, const TableFactors& factors) {
  time.step *= factors.step;
  time.alone *= factors.alone;
  time.start *= factors.start;
  time.finish *= factors.finish;
  return time;
}

/// Tiles of C, and how k is divided for them. In a single product the first `whole` tiles may be computed by one group
/// each, and only the `rest` divided, so that the last wave is not half empty.
struct Division {
  std::uint64_t whole = 0, rest = 0;
  std::uint64_t slices = 1;  ///< slices per divided tile
  std::uint64_t length = 1;  ///< steps of k per slice
  bool by_groups = false;    ///< true: the last group of each tile adds its slices; false: another launch adds all
  double cycles = 0;         ///< of the whole product, including launches

  Slices to_slices() const {
    return {static_cast<std::size_t>(slices), static_cast<std::int64_t>(length), whole, by_groups};
  }
};

/// Minimum length of slices in the variants' own configurations, in steps of k.
inline constexpr std::int64_t shortest_slice = 48;

/// Whether tiles may stay whole.
enum class WholeTiles { never, where_groups_add_slices, always };

struct DivisionRules {
  std::int64_t step = 1;   ///< slice lengths are multiples of this
  std::int64_t least = 1;  ///< minimum slice length; 0: k is not divided
  WholeTiles whole = WholeTiles::never;
  bool groups_may_add = true;  ///< false: another launch always adds the slices
};

/// The rules for parameters that are named tile_k and slice_k, if tiles may stay whole where groups add slices.
template <class Parameters>
DivisionRules rules_of_slices(const Parameters& parameters) {
  return {.step = parameters.tile_k, .least = parameters.slice_k, .whole = WholeTiles::where_groups_add_slices};
}

/// A problem on a device: what the times of all its candidates depend on.
struct Task {
  Task(const CoreProduct& problem, const DeviceProfile& device);

  const CoreProduct& problem;
  const DeviceProfile& device;
  std::uint64_t depth;    ///< steps of k of a tile, on average
  double units;           ///< compute units
  double products;        ///< of the batch
  double element;         ///< bytes of an element of A and B
  std::size_t sum_bytes;  ///< bytes of a sum
  double memory_rate;     ///< bytes per cycle and compute unit
  double from_memory;     ///< cycles of one compute unit to move the matrices once
};

/// A problem's tiles on a device.
struct Work {
  double groups = 0;        ///< one per tile of C, of all products
  std::uint64_t steps = 1;  ///< steps of k, rounded up to whole tiles of A and B
  double moving = 0;        ///< cycles to move the matrices' bytes
  double least = 0;         ///< lower bound on the cycles of any division
};
Work work_of(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const Task& task);

/// Returns the fastest division.
Division divide(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const CoreProduct& problem,
                const DeviceProfile& device);

/// The options of cl/gemm/k_range.cl for the order of tiles.
std::string order_of_ranges(const GroupTime& time, const TileGroups& tiles, const CoreProduct& problem,
                            const DeviceProfile& device);

/// in_slices() for a division, with its cycles.
inline Execution in_slices(const CoreProduct& problem, const DeviceProfile& device, const TileGroups& tiles,
                           std::int64_t items, const Division& division) {
  Execution execution = in_slices(problem, device, tiles, items, division.to_slices());
  execution.cycles = division.cycles;
  return execution;
}

/// Indices of the `enough` fastest of `count` candidates, fastest first. least(i) is a cheap lower bound on cycles(i),
/// which is called only for candidates that may be among them.
template <class Least, class Cycles>
std::vector<std::size_t> fastest_of(std::size_t count, std::size_t enough, Least&& least, Cycles&& cycles) {
  using Timed = std::pair<double, std::size_t>;
  std::vector<Timed> bounds, best;
  bounds.reserve(count);
  best.reserve(enough + 1);
  for (std::size_t i = 0; i < count; ++i) bounds.emplace_back(least(i), i);
  std::sort(bounds.begin(), bounds.end());
  for (const auto& [bound, place] : bounds) {
    if (best.size() == enough && bound > best.back().first) break;
    const Timed timed{cycles(place), place};
    best.insert(std::upper_bound(best.begin(), best.end(), timed), timed);
    if (best.size() > enough) best.pop_back();
  }
  std::vector<std::size_t> places;
  for (const Timed& timed : best) places.push_back(timed.second);
  return places;
}

/// A configuration that may be chosen for a product, and what the time of its divisions depends on.
struct TimedCandidate {
  ParameterValues values;
  GroupTime time;
  TileGroups tiles;
  DivisionRules rules;
  double before = 0;  ///< cycles of the launches before the product
  double factor = 1;  ///< of the product's cycles
};

/// Returns the fastest candidates, fastest first: enough of them for devices that cannot run all.
std::vector<ParameterValues> fastest(std::span<const TimedCandidate> candidates, const CoreProduct& problem,
                                     const DeviceProfile& device);

}  // namespace tilewright::detail
