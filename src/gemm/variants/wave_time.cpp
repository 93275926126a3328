#include "gemm/variants/wave_time.hpp"

#include <algorithm>

#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {
namespace {

// Bytes that come in a cycle for each compute unit from memory.
constexpr double bytes_from_memory = 14.2;
// Predictions err: a division must gain more.
constexpr double least_gain = 1.03;

// Where tiles alone, or slices, fill so many waves, more slices gain nothing.
constexpr double most_waves = 12;

constexpr std::uint64_t numbers_of_slices[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};

// Without a call of the C library, as choosing takes hundreds of them.
double whole_part(double value) {
  constexpr double all_are_whole = 9e15;
  return value < all_are_whole ? static_cast<double>(static_cast<std::int64_t>(value)) : value;
}
double quotient_rounded_up(double count, double per) { return whole_part((count + per - 1) / per); }

// A compute unit has four parts, and each runs warps of its own: of groups of fewer warps, some parts run more of them.
double load_of(double sharers, double warps) {
  constexpr double parts = 4;
  return warps < parts ? quotient_rounded_up(sharers * warps, parts) * parts / warps : sharers;
}

// `groups` groups of `steps` steps of k.
double cycles_of(const GroupTime& time, double groups, double steps, double compute_units) {
  if (groups == 0) return 0;
  const double on_one = quotient_rounded_up(groups, compute_units);
  const double full = whole_part(on_one / time.at_once), last = on_one - full * time.at_once;
  const auto wave = [&](double sharers) {
    return steps * std::max(load_of(sharers, time.warps) * time.step, time.alone);
  };
  return full * wave(time.at_once) + (last > 0 ? wave(last) : 0) + (full + (last > 0 ? 1 : 0)) * time.start +
         on_one * time.finish;
}

// Both go on at the same time, so the longer one counts; a part of the shorter one tells apart what is equal in that.
double together(double one, double other) { return std::max(one, other) + 0.05 * std::min(one, other); }

}  // namespace

bool has_wave_times(const DeviceProfile& device) {
  return device.type == DeviceType::gpu && quirks_of(device.vendor).takes_ptx;
}

Division divide(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const GemmProblem& problem,
                const DeviceProfile& device) {
  const std::uint64_t products = products_of(problem);
  const std::uint64_t steps = rounded_up(std::max<std::uint64_t>(1, problem.k), rules.step);
  const double units = std::max(1U, device.compute_units);
  const auto element = static_cast<double>(size_of(problem.type));
  const auto all = static_cast<double>(tiles.tiles) * static_cast<double>(products);

  const auto m = static_cast<double>(problem.m), n = static_cast<double>(problem.n), k = static_cast<double>(problem.k);
  const auto element_of_c = static_cast<double>(size_of(type_of_c(problem)));
  const double of_matrices = (m * k + k * n) * element + m * n * element_of_c;
  const double from_memory = static_cast<double>(products) * of_matrices / bytes_from_memory;
  const double from_cache = all * k * time.reads * element / time.read_rate;
  const double least = std::max(from_memory, from_cache) / units;

  Division best{.whole = tiles.tiles, .length = steps};
  const LaunchTime& launches = time.launches;
  best.cycles = launches.first + together(least, cycles_of(time, all, static_cast<double>(steps), units));
  if (rules.least == 0) return best;

  const auto at_once = static_cast<std::uint64_t>(units * time.at_once);
  const bool may_leave = rules.whole != WholeTiles::never && products == 1;
  const std::uint64_t in_waves = may_leave ? tiles.tiles / at_once * at_once : 0;
  for (const std::uint64_t whole : {std::uint64_t{0}, in_waves}) {
    const std::uint64_t rest = tiles.tiles - whole;
    if (rest == 0) continue;
    const double first = cycles_of(time, static_cast<double>(whole), static_cast<double>(steps), units);
    for (const std::uint64_t wanted : numbers_of_slices) {
      if (steps / wanted < static_cast<std::uint64_t>(rules.least)) break;
      const std::uint64_t length = rounded_up((steps + wanted - 1) / wanted, rules.step);
      const std::uint64_t slices = (steps + length - 1) / length;
      if (slices < 2) continue;
      const double of_rest = static_cast<double>(rest) * static_cast<double>(products);
      const double groups = of_rest * static_cast<double>(slices);
      if (groups > most_waves * units * time.at_once) break;
      const TileGroups divided{rest, tiles.sums};
      const auto bytes = static_cast<double>(slices * tiles.sums * accumulator_bytes(problem.type));
      const bool by_groups = last_group_adds(problem, device, slices, divided);
      if (whole > 0 && !by_groups && rules.whole != WholeTiles::always) continue;
      const double sums = by_groups ? launches.last_group + bytes / launches.rate_of_group
                                    : launches.second + bytes * of_rest / (launches.rate_of_sums * units);
      const double cycles =
          launches.first + sums + together(least, first + cycles_of(time, groups, static_cast<double>(length), units));
      if (cycles * least_gain < best.cycles) best = {whole, rest, slices, length, cycles};
    }
    if (in_waves == 0) break;
  }
  return best;
}

}  // namespace tilewright::detail
