#include <bit>

#include "spmm/variant.hpp"

namespace tilewright::detail::spmm_variants {
namespace {

using Core = const SpmmCore&;
using Profile = const DeviceProfile&;

}  // namespace

extern constexpr SpmmVariant row_blocks{
    .name = "row_blocks",
    .summary = "a group holds a block of whole rows in local memory and divides its lanes among them",
    .program = {.file = "spmm/row_blocks.cl", .shared_files = {"spmm/chunks.cl"}},
    .parameters = {{"chunk",
                    &GroupsWithChunks::chunk,
                    "rows plus stored elements of a group",
                    {256, 384, 512, 768, 1024, 1536, 2048, 4096}},
                   {"wg", &GroupsWithChunks::wg, "work-items of a group", {32, 64, 128, 256}}},
    .constraints = {{"wg is a power of two",
                     "sums are added by halves",
                     {&GroupsWithChunks::wg},
                     [](const GroupsWithChunks& c, Core, Profile) {
                       return std::has_single_bit(static_cast<std::uint64_t>(c.wg));
                     }}},
    .preferences = [](Core, Profile) -> std::vector<ParameterValues> {
      return {GroupsWithChunks{768, 128}, GroupsWithChunks{256, 32}, GroupsWithChunks{64, 1}};
    },
    .edges = [](const GroupsWithChunks& c) -> Edges {
      return {{c.wg, c.chunk}, {}, {c.chunk / 4, c.chunk}};
    },
    .needs = reals,
    .memory = {.local_bytes = [](const GroupsWithChunks& c, Core core) -> std::uint64_t {
                 return static_cast<std::uint64_t>(c.chunk + c.wg) * size_of(core.type);
               },
               .private_bytes = [](const GroupsWithChunks& c, Core,
                                   Profile d) { return kept_across_barriers(d, c.wg, 64, 16); }},
    .execution = [](const GroupsWithChunks& c, Core core, Profile d) { return execution_of_groups(c, core, d); },
};

}  // namespace tilewright::detail::spmm_variants
