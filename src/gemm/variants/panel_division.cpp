#include "gemm/variants/panel_division.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::detail::gemm_variants::packed_panel_parts {
namespace {

using Config = const Panels&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

// Maximum number of blocks per group.
std::uint64_t most_blocks(Config c, Problem p, Profile d) {
  return p.k > static_cast<std::uint64_t>(c.block_k) ? static_cast<std::uint64_t>(kept_blocks(c, p, d))
                                                     : std::numeric_limits<std::uint64_t>::max();
}

// The largest groups of which a product has as many as wanted, or as many as possible; nearly equal in size.
PanelDivision divide_c(Config c, Problem p, Profile d, double wanted) {
  const std::int64_t item_m = sum_rows(c, p);
  const std::uint64_t max_blocks = most_blocks(c, p, d);
  const std::uint64_t blocks_m = ceil_div(std::max<std::uint64_t>(1, all_sum_rows(p)), item_m);
  const std::uint64_t blocks_n = ceil_div(std::max<std::uint64_t>(1, p.n), c.item_n);
  std::uint64_t along_m = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(c.group_m / item_m), 1, blocks_m);
  std::uint64_t along_n =
      copies_b(c, p) ? 1 : std::clamp<std::uint64_t>(static_cast<std::uint64_t>(c.group_n / c.item_n), 1, blocks_n);
  const auto count = [](std::uint64_t blocks, std::uint64_t along) { return (blocks + along - 1) / along; };
  while (along_m * along_n > 1 && (along_m * along_n > max_blocks ||
                                   static_cast<double>(count(blocks_m, along_m) * count(blocks_n, along_n)) < wanted)) {
    const bool halve_m = along_n == 1 || (along_m > 1 && along_m * static_cast<std::uint64_t>(item_m) >=
                                                             along_n * static_cast<std::uint64_t>(c.item_n));
    std::uint64_t& longer = halve_m ? along_m : along_n;
    longer = (longer + 1) / 2;
  }
  along_m = count(blocks_m, count(blocks_m, along_m));
  along_n = count(blocks_n, count(blocks_n, along_n));
  return {static_cast<std::int64_t>(along_m) * item_m,
          static_cast<std::int64_t>(along_n) * c.item_n,
          static_cast<std::size_t>(count(blocks_m, along_m)),
          static_cast<std::size_t>(count(blocks_n, along_n)),
          {1, static_cast<std::int64_t>(std::max<std::uint64_t>(1, p.k))}};
}

// Bytes that a product's groups and the sum of slices move. Each row or column of groups reads an operand once; later
// reads come from a cache if the operand fits. Short pieces of rows are slower than whole rows. Measured on PoCL.
double bytes_moved(const PanelDivision& division, Config c, Problem p) {
  constexpr double l2_bytes = 1 << 20, again_from_cache = 0.1;
  constexpr double row_start = 256;  // equivalent bytes of starting a piece of a row
  constexpr double launch = 1e5;     // equivalent bytes of launching the sum of slices
  const auto element = static_cast<double>(accumulator_bytes(p.type));
  const auto m = static_cast<double>(all_sum_rows(p)), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  const auto reads = [&](double elements, std::size_t times, bool in_pieces, std::int64_t piece) {
    const double bytes = elements * element;
    const double again = static_cast<double>(times - 1) * (bytes > l2_bytes ? 1 : again_from_cache);
    return bytes * (1 + again) * (in_pieces ? 1 + row_start / (static_cast<double>(piece) * element) : 1);
  };
  const auto slices = static_cast<double>(division.slices.count);
  const double sums =
      division.slices.count > 1 ? static_cast<double>(p.m) * n * element * (2 * slices + 1) + launch : 0;
  return reads(m * k, division.groups_n, p.trans_a == Transpose::yes && !packs_a(c, p), division.group_m) +
         reads(k * n, division.groups_m, !packs_b(c, p) && !copies_b(c, p), division.group_n) + sums;
}

// Groups of one panel of B each. The last groups of all compute units end together, with as many rows as this allows,
// because each group's first rows take longer: they copy the panel. PoCL hands out half of the groups at once, so that
// more groups than these balance nothing.
PanelDivision divide_panels(Config c, Problem p, Profile d) {
  constexpr std::uint64_t copy_rows = 12;  // take as long as copying a panel, measured on PoCL
  const auto item_m = static_cast<std::uint64_t>(sum_rows(c, p));
  const std::uint64_t blocks = ceil_div(std::max<std::uint64_t>(1, all_sum_rows(p)), sum_rows(c, p));
  const std::uint64_t columns = ceil_div(std::max<std::uint64_t>(1, p.n), c.item_n);
  const std::uint64_t most = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(c.group_m) / item_m, 1,
                                                       std::min(blocks, most_blocks(c, p, d)));
  const std::uint64_t products = std::max<std::uint64_t>(1, p.batch.count), units = std::max(1U, d.compute_units);
  const auto count = [](std::uint64_t x, std::uint64_t y) { return (x + y - 1) / y; };
  std::uint64_t along = most, least = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t fewest = count(blocks, most);
  for (std::uint64_t groups = fewest; groups <= std::min(blocks, fewest + units); ++groups) {
    const std::uint64_t rows = count(blocks, groups);
    const std::uint64_t time = count(count(blocks, rows) * columns * products, units) * (rows * item_m + copy_rows);
    if (time >= least) continue;
    least = time;
    along = rows;
  }
  return {static_cast<std::int64_t>(along * item_m),
          c.item_n,
          static_cast<std::size_t>(count(blocks, along)),
          static_cast<std::size_t>(columns),
          {1, static_cast<std::int64_t>(std::max<std::uint64_t>(1, p.k))}};
}

// Equal groups of rows for each compute unit. They compute all columns, group_n at a time.
PanelDivision divide_rows(Config c, Problem p, Profile d) {
  const std::int64_t item_m = sum_rows(c, p), kept = kept_blocks(c, p, d);
  const std::int64_t along_n = std::clamp<std::int64_t>(c.group_n / c.item_n, 1, kept);
  const std::int64_t along = std::clamp<std::int64_t>(c.group_m / item_m, 1, kept / along_n);
  const std::uint64_t blocks = ceil_div(std::max<std::uint64_t>(1, all_sum_rows(p)), item_m);
  const std::uint64_t products = std::max<std::uint64_t>(1, p.batch.count);
  std::uint64_t groups = ceil_div(blocks, along);
  if (products < d.compute_units) groups = rounded_up(groups, static_cast<std::int64_t>(d.compute_units));
  const std::size_t blocks_of_group = ceil_div(blocks, static_cast<std::int64_t>(groups));
  return {static_cast<std::int64_t>(blocks_of_group) * item_m,
          along_n * c.item_n,
          ceil_div(blocks, static_cast<std::int64_t>(blocks_of_group)),
          1,
          {1, static_cast<std::int64_t>(std::max<std::uint64_t>(1, p.k))}};
}

}  // namespace

double wanted_part(Problem p) {
  if (!p.triangle) return 1;
  const double columns = static_cast<double>(p.n) / static_cast<double>(p.triangle->parts);
  const double least = std::min(columns, static_cast<double>(p.m));
  return 1 - least / 2 / std::max(columns, static_cast<double>(p.m));
}

std::int64_t kept_blocks(Config c, Problem p, Profile d) {
  const std::int64_t bytes = d.type == DeviceType::cpu ? 256 << 10 : 4 << 10;
  const std::int64_t block = sum_rows(c, p) * c.item_n * static_cast<std::int64_t>(accumulator_bytes(p.type));
  return std::max<std::int64_t>(1, bytes / block);
}

PanelDivision divide(Config c, Problem p, Profile d) {
  constexpr std::size_t groups_per_unit = 8;
  constexpr double min_work = 2.5e5;  // multiply-adds
  constexpr double gain = 0.8;        // margin for errors of the estimates
  const auto products = static_cast<double>(std::max<std::uint64_t>(1, p.batch.count));
  const double part = wanted_part(p);
  const double work = part * static_cast<double>(all_sum_rows(p)) * static_cast<double>(p.n) * static_cast<double>(p.k);
  const double busy = std::min<double>(groups_per_unit * d.compute_units / products, work / min_work);
  const double wanted = busy / part;  // the other groups have nothing to do
  if (is_in_place(p)) return divide_rows(c, p, d);
  PanelDivision best = copies_b(c, p) && !p.triangle ? divide_panels(c, p, d) : divide_c(c, p, d, wanted);
  if (p.k_range) return best;
  const auto groups = static_cast<std::size_t>(std::ceil(part * static_cast<double>(best.groups_m * best.groups_n)));
  if (static_cast<double>(groups) * products < d.compute_units) {
    best.slices = split_k(p, groups, 2.0 * d.compute_units, c.slice_k, 1);
    return best;
  }
  double least = gain * bytes_moved(best, c, p);
  for (double slices = 2; slices <= busy; slices *= 2) {
    PanelDivision division = divide_c(c, p, d, wanted / slices);
    division.slices = split_k(p, 1, slices * products, c.slice_k, 1);
    const double bytes = bytes_moved(division, c, p);
    if (division.slices.count == 1 || bytes >= least) continue;
    least = bytes;
    best = division;
  }
  return best;
}

}  // namespace tilewright::detail::gemm_variants::packed_panel_parts
