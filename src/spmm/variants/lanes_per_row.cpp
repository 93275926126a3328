#include <algorithm>
#include <bit>

#include "spmm/variant.hpp"

namespace tilewright::detail::spmm_variants {
namespace {

struct LanesPerRow {
  std::int64_t lanes, columns, unroll, wg;
};

using Core = const SpmmCore&;
using Profile = const DeviceProfile&;

}  // namespace

extern constexpr SpmmVariant lanes_per_row{
    .name = "lanes_per_row",
    .summary = "several work-items share a row, as many as the mean length needs",
    .program = {.file = "spmm/lanes_per_row.cl"},
    .parameters =
        {{"lanes", &LanesPerRow::lanes, "work-items of a row", {1, 2, 4, 8, 16, 32, 64, 128}},
         {"columns", &LanesPerRow::columns, "columns of C per pass", {1, 2, 4}},
         {"unroll", &LanesPerRow::unroll, "elements that a lane loads before it uses the first", {1, 2, 4, 8}},
         {"wg", &LanesPerRow::wg, "work-items of a group", {32, 64, 128, 256}}},
    .constraints = {{"lanes is a power of two",
                     "their sums are added pairwise",
                     {&LanesPerRow::lanes},
                     [](const LanesPerRow& c, Core, Profile) {
                       return std::has_single_bit(static_cast<std::uint64_t>(c.lanes));
                     }},
                    {"wg is a multiple of lanes",
                     "a group has whole rows",
                     {&LanesPerRow::lanes, &LanesPerRow::wg},
                     [](const LanesPerRow& c, Core, Profile) { return c.wg % c.lanes == 0; }}},
    .preferences = [](Core core, Profile) -> std::vector<ParameterValues> {
      // Few lanes with several elements each: another work-item costs more than reading a cache line in pieces.
      const auto share = static_cast<std::uint64_t>(core.a.mean / 2.4);
      const auto lanes = static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(share, 1, 32)));
      const auto columns = static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(core.n, 1, 4)));
      const std::int64_t unroll = columns == 1 ? 4 : 2;
      return {LanesPerRow{lanes, columns, unroll, 128}, LanesPerRow{lanes, 1, unroll, 32}, LanesPerRow{1, 1, 1, 1}};
    },
    .edges = [](const LanesPerRow& c) -> Edges {
      return {{c.wg / c.lanes}, {c.columns}, {c.lanes, c.lanes * c.unroll}};
    },
    .needs = reals,
    .memory = {.local_bytes = [](const LanesPerRow& c, Core core) -> std::uint64_t {
                 return static_cast<std::uint64_t>(c.columns * c.wg) * size_of(core.type);
               },
               .private_bytes = [](const LanesPerRow& c, Core core, Profile d) -> std::uint64_t {
                 return kept_across_barriers(d, c.wg, static_cast<std::uint64_t>(c.columns) * (size_of(core.type) + 8),
                                             8);
               }},
    .execution = [](const LanesPerRow& c, Core core, Profile) -> Execution {
      const auto wg = static_cast<std::size_t>(c.wg);
      return {.launches = {{.kernel = "spmm",
                            .arguments = spmm_arguments(core),
                            .global = {ceil_div(core.a.rows, c.wg / c.lanes) * wg, ceil_div(core.n, c.columns)},
                            .local = {wg, 1}}}};
    },
};

}  // namespace tilewright::detail::spmm_variants
