#include "gemm/variants/wave_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "kernels/build_options.hpp"

namespace tilewright::detail {
namespace {

// Predictions have errors: a division must gain more than this factor.
constexpr double min_gain = 1.03;

// If tiles alone, or slices, fill this many waves, more slices gain nothing.
constexpr double max_waves = 12;

// Maximum share of the compute units for slices that run together with whole tiles.
constexpr double max_share_of_units = 0.9;

constexpr std::uint64_t numbers_of_slices[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};

// floor() without a call of the C library, because a choice needs hundreds of them.
double whole_part(double value) {
  constexpr double all_are_whole = 9e15;
  return value < all_are_whole ? static_cast<double>(static_cast<std::int64_t>(value)) : value;
}
double quotient_rounded_up(double count, double per) { return whole_part((count + per - 1) / per); }

// A compute unit has four parts, each with its own warps. If groups have fewer than four warps, some parts run more of
// them.
double load_of(double sharers, double warps) {
  constexpr double parts = 4;
  return warps < parts ? quotient_rounded_up(sharers * warps, parts) * parts / warps : sharers;
}

// Equal groups of a compute unit, and their steps of k.
struct Load {
  double groups, steps;
};

struct Span {
  double cycles;        // of all groups
  double after_slices;  // the last of these cycles, with only whole tiles left
};

// Whole tiles take as many waves as they need. Slices run together with those of the last wave, and after them.
Span span_of(const GroupTime& time, Load whole, Load slices) {
  const auto step = [&](double sharers) { return std::max(load_of(sharers, time.warps) * time.step, time.alone); };
  Span span{(whole.groups + slices.groups) * time.finish, 0};
  double waves = 0;
  const auto run = [&](const Load& load) {
    const double full = whole_part(load.groups / time.at_once), last = load.groups - full * time.at_once;
    span.cycles += load.steps * (full * step(time.at_once) + (last > 0 ? step(last) : 0));
    waves += full + (last > 0 ? 1 : 0);
  };
  const double sharers = whole.groups - whole_part(whole.groups / time.at_once) * time.at_once;
  if (slices.groups == 0 || sharers == 0) {
    run(whole);
    run(slices);
  } else {
    run({whole.groups - sharers, whole.steps});
    const double room = time.at_once - sharers;
    const double rounds = std::min(whole_part(whole.steps / slices.steps), quotient_rounded_up(slices.groups, room));
    const double beside = rounds * slices.steps, rest = std::max(0.0, slices.groups - rounds * room);
    const double alone = (whole.steps - beside) * step(sharers);
    span.cycles += beside * step(sharers + std::min(room, slices.groups)) + alone;
    if (rest == 0) span.after_slices = alone;
    waves += 1;
    run({rest, slices.steps});
  }
  // Groups that share a unit start while others work, except the first.
  span.cycles += time.start * (1 + std::max(0.0, waves - 1) / time.at_once);
  return span;
}

// Both run at the same time, so the longer one counts. A share of the shorter one breaks ties.
double together(double one, double other) { return std::max(one, other) + 0.05 * std::min(one, other); }

}  // namespace

Task::Task(const CoreProduct& p, const DeviceProfile& d)
    : problem(p),
      device(d),
      units(static_cast<double>(std::max(1U, d.compute_units))),
      products(static_cast<double>(products_of(p))),
      element(static_cast<double>(size_of(p.type))),
      sum_bytes(accumulator_bytes(p.type)),
      memory_rate(constants_of(d).memory_rate) {
  depth = p.k_range ? mean_depth(*p.k_range, p.k) : p.k;
  const auto m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  const double lines = p.triangle ? n / static_cast<double>(p.triangle->parts) : 0;
  const double wanted = p.triangle ? 1 - std::min(m, lines) / (2 * std::max(m, lines)) : 1;  // of C
  const double of_matrices = (m * k + k * n) * element + wanted * m * n * static_cast<double>(size_of(type_of_c(p)));
  from_memory = products * of_matrices / memory_rate;
}

std::string order_of_ranges(const GroupTime& time, const TileGroups& tiles, const CoreProduct& problem,
                            const DeviceProfile& device) {
  const auto groups = static_cast<double>(tiles.tiles);
  const bool run_at_once = groups > device.compute_units && groups <= time.at_once * device.compute_units;
  return run_at_once && products_of(problem) == 1 ? define("RANGE_UNITS", device.compute_units) : "";
}

Work work_of(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const Task& task) {
  Work work{.groups = static_cast<double>(tiles.tiles) * task.products,
            .steps = rounded_up(std::max<std::uint64_t>(1, task.depth), rules.step)};
  const double from_cache = work.groups * static_cast<double>(task.depth) * time.reads * task.element / time.read_rate;
  const double from_memory = time.moving * task.from_memory;
  work.moving = (std::max(from_memory, from_cache) + time.not_hidden * std::min(from_memory, from_cache)) / task.units;
  const LaunchTime& launches = time.launches;
  const auto steps = static_cast<double>(work.steps);
  const double busy = work.groups / task.units * (steps * time.step + time.finish);
  // A group sums over all of k, or over a slice whose sums are then added. The total of both costs is least where they
  // are equal.
  const double of_step = std::max(time.step, time.alone);
  double of_group = steps * of_step;
  if (rules.least > 0) {
    of_group = std::min(of_group, launches.second + static_cast<double>(rules.least) * of_step);
    if (rules.groups_may_add) {
      const auto of_slice = static_cast<double>(tiles.sums * task.sum_bytes);
      of_group = std::min(of_group, launches.last_group + of_slice / launches.rate_of_slice +
                                        2 * std::sqrt(steps * of_step * of_slice / launches.rate_of_group));
    }
  }
  work.least = launches.first + std::max(work.moving, time.start + std::max(busy, of_group + time.finish));
  return work;
}

namespace {

Division divide(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const Task& task,
                const Work& work) {
  const LaunchTime& launches = time.launches;
  const double units = task.units;
  const auto on_unit = [&](double groups, std::uint64_t steps) {
    return Load{quotient_rounded_up(groups, units), static_cast<double>(steps)};
  };
  Division best{.whole = tiles.tiles, .length = work.steps};
  const double of_tiles = span_of(time, on_unit(work.groups, work.steps), {}).cycles;
  // The longest tiles, which come first, sum over all of k.
  const double of_longest =
      static_cast<double>(task.problem.k) * std::max(time.step, time.alone) + time.start + time.finish;
  best.cycles =
      launches.first + together(work.moving, task.problem.k_range ? std::max(of_tiles, of_longest) : of_tiles);
  if (rules.least == 0 || task.problem.k_range || work.least * min_gain >= best.cycles) return best;

  // Possible slicings, the longest slices first. Only the first few are usually needed, and integer division is slow.
  struct Slicing {
    std::uint64_t slices, length;
  };
  std::array<Slicing, std::size(numbers_of_slices)> slicings;
  std::size_t count = 0, tried = 0;
  const auto has_slicing = [&](std::size_t s) {
    while (count <= s && tried < std::size(numbers_of_slices)) {
      const std::uint64_t wanted = numbers_of_slices[tried++];
      if (work.steps / wanted < static_cast<std::uint64_t>(rules.least)) {
        tried = std::size(numbers_of_slices);
        break;
      }
      const std::uint64_t length = rounded_up((work.steps + wanted - 1) / wanted, rules.step);
      const std::uint64_t slices = (work.steps + length - 1) / length;
      if (slices >= 2) slicings[count++] = {slices, length};
    }
    return s < count;
  };

  // Whole tiles fill waves, or the compute units evenly.
  const auto whole_units = static_cast<std::uint64_t>(units);
  const std::uint64_t in_wave = whole_units * static_cast<std::uint64_t>(time.at_once);
  const std::array<std::uint64_t, 3> wholes{0, tiles.tiles / in_wave * in_wave,
                                            tiles.tiles / whole_units * whole_units};
  const bool may_leave = rules.whole != WholeTiles::never && task.products == 1;
  for (std::size_t w = 0; w < (may_leave ? wholes.size() : 1); ++w) {
    const std::uint64_t whole = wholes[w], rest = tiles.tiles - whole;
    // If tiles alone fill a wave, not all of them are divided: their slices would pass through memory.
    if (may_leave && whole == 0 && tiles.tiles > in_wave) continue;
    if (rest == 0 || std::find(wholes.begin(), wholes.begin() + w, whole) != wholes.begin() + w) continue;
    const Load first = on_unit(static_cast<double>(whole), work.steps);
    const double of_rest = work.groups - static_cast<double>(whole);
    for (std::size_t s = 0; work.least * min_gain < best.cycles && has_slicing(s); ++s) {
      const auto [slices, length] = slicings[s];
      const double groups = of_rest * static_cast<double>(slices);
      if (groups > max_waves * units * time.at_once) break;
      // If all groups start at once, the driver spreads whole tiles evenly only while compute units are left over.
      if (whole > 0 && first.groups < time.at_once && groups > max_share_of_units * units) break;
      const Span span = span_of(time, first, on_unit(groups, length));
      double cycles = launches.first + together(work.moving, span.cycles);
      if (cycles * min_gain >= best.cycles) continue;
      const bool can_add =
          rules.groups_may_add && last_group_can_add(task.problem, task.device, slices, {rest, tiles.sums});
      const bool must_add = whole > 0 && rules.whole != WholeTiles::always;
      if (must_add && !can_add) continue;
      const auto of_slice = static_cast<double>(tiles.sums * task.sum_bytes);
      const double bytes = static_cast<double>(slices) * of_slice;
      // Groups add slices while whole tiles are still running. If a unit has more than one such group, slices go to
      // memory and back.
      const double by_group = std::max(0.0, launches.last_group + of_slice / launches.rate_of_slice +
                                                bytes / launches.rate_of_group - span.after_slices) +
                              2 * of_slice * std::max(0.0, groups / units - 1) / task.memory_rate;
      const double by_launch = launches.second + bytes * of_rest / (launches.rate_of_sums * units);
      const bool by_groups = can_add && (must_add || by_group <= by_launch);
      cycles += by_groups ? by_group : by_launch;
      if (cycles * min_gain < best.cycles) best = {whole, rest, slices, length, by_groups, cycles};
    }
  }
  return best;
}

}  // namespace

Division divide(const GroupTime& time, const TileGroups& tiles, const DivisionRules& rules, const CoreProduct& problem,
                const DeviceProfile& device) {
  const Task task(problem, device);
  return divide(time, tiles, rules, task, work_of(time, tiles, rules, task));
}

std::vector<ParameterValues> fastest(std::span<const TimedCandidate> candidates, const CoreProduct& problem,
                                     const DeviceProfile& device) {
  constexpr std::size_t enough = 3;
  const Task task(problem, device);
  std::vector<Work> work;
  work.reserve(candidates.size());
  for (const TimedCandidate& c : candidates) work.push_back(work_of(c.time, c.tiles, c.rules, task));
  const auto places = fastest_of(
      candidates.size(), enough,
      [&](std::size_t i) { return candidates[i].before + candidates[i].factor * work[i].least; },
      [&](std::size_t i) {
        const TimedCandidate& c = candidates[i];
        return c.before + c.factor * divide(c.time, c.tiles, c.rules, task, work[i]).cycles;
      });
  std::vector<ParameterValues> result;
  result.reserve(places.size() + 1);  // variants add one for other devices
  for (const std::size_t i : places) result.push_back(candidates[i].values);
  return result;
}

}  // namespace tilewright::detail
