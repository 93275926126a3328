// What a product takes on a GPU, predicted in cycles of a compute unit: its work-groups come in waves, as many at a
// time as the compute units run at once. The idea is that of analytical models of GEMM, as of Origami
// (arXiv:2512.04226) and Stream-K (arXiv:2301.03598); the constants are fitted to timings on an H200.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "gemm/variants/split_k.hpp"

namespace tilewright::detail {

/// Whether the times hold for a device: NVIDIA's GPUs.
bool has_wave_times(const DeviceProfile& device);

/// Launches, and how long slices of k take to be added up, in cycles.
struct LaunchTime {
  double first = 9010;         ///< of the product
  double last_group = 1030;    ///< of a tile, to see its slices
  double rate_of_slice = 1e9;  ///< bytes of one that its group writes in a cycle
  double rate_of_group = 27;   ///< bytes of all that the last group reads in a cycle
  double second = 9470;        ///< where another launch adds the slices up
  double rate_of_sums = 19.4;  ///< bytes that it reads in a cycle for each compute unit
};

/// A work-group, in cycles.
struct GroupTime {
  double step = 0;          ///< of each step of k, taken from the groups that share its compute unit
  double alone = 0;         ///< of each step of k, at least, however few share it
  double start = 0;         ///< of each wave, before its first step
  double finish = 0;        ///< of each group, after its last step
  double at_once = 1;       ///< groups that a compute unit runs at a time, a whole number
  double warps = 4;         ///< of each group
  double reads = 0;         ///< elements of A and B that a group reads for each step of k
  double read_rate = 22.4;  ///< bytes of them that come in a cycle for each compute unit, from the device's cache
  LaunchTime launches{};
};

/// Tiles of C, and how k is divided for them. Of a single product the first `whole` tiles may be computed by a group
/// each, and only the `rest` divided, so that the last wave is not left half empty.
struct Division {
  std::uint64_t whole = 0, rest = 0;
  std::uint64_t slices = 1;  ///< of each of the rest
  std::uint64_t length = 1;  ///< of a slice, in steps of k
  bool by_groups = false;    ///< the last group of each tile adds its slices, else another launch adds all of them
  double cycles = 0;         ///< of the whole product, with its launches

  Slices to_slices() const {
    return {static_cast<std::size_t>(slices), static_cast<std::int64_t>(length), whole, by_groups};
  }
};

/// How short the slices of the variants' own configurations may be, in steps of k.
inline constexpr std::int64_t shortest_slice = 48;

/// Whether tiles may be left whole.
enum class WholeTiles { never, where_groups_add_slices, always };

struct DivisionRules {
  std::int64_t step = 1;   ///< the length of a slice is a multiple of it
  std::int64_t least = 1;  ///< and no shorter; 0: k is not divided
  WholeTiles whole = WholeTiles::never;
  bool groups_may_add = true;  ///< else slices are always added by another launch
};

/// A problem's tiles on a device.
struct Work {
  double units = 1;         ///< compute units
  double groups = 0;        ///< a tile of C each, of all products
  std::uint64_t steps = 1;  ///< of k, whole tiles of A and B
  double moving = 0;        ///< cycles that the matrices' bytes take
  double least = 0;         ///< cycles: no division takes fewer
};
Work work_of(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const GemmProblem& problem,
             const DeviceProfile& device);

/// The fastest one.
Division divide(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const GemmProblem& problem,
                const DeviceProfile& device);

/// The places of the `enough` fastest of `count` candidates, fastest first. least(i), which is quick, is no more than
/// cycles(i), which is asked only where i may be one of them.
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

}  // namespace tilewright::detail
