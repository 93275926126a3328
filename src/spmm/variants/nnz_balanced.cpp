#include "spmm/variant.hpp"

namespace tilewright::detail::spmm_variants {
namespace {

using Core = const SpmmCore&;
using Profile = const DeviceProfile&;

}  // namespace

extern constexpr SpmmVariant nnz_balanced{
    .name = "nnz_balanced",
    .summary = "every work-item takes the same number of steps of the walk over elements and rows",
    .program = {.file = "spmm/nnz_balanced.cl", .shared_files = {"spmm/chunks.cl"}},
    .parameters = {{"chunk",
                    &GroupsWithChunks::chunk,
                    "rows plus stored elements of a group",
                    {256, 512, 896, 1024, 1536, 2048, 4096}},
                   {"wg", &GroupsWithChunks::wg, "work-items of a group", {32, 64, 128, 256}}},
    .constraints = {{"chunk is a multiple of wg",
                     "every work-item takes the same number of steps",
                     {&GroupsWithChunks::chunk, &GroupsWithChunks::wg},
                     [](const GroupsWithChunks& c, Core, Profile) { return c.chunk % c.wg == 0; }}},
    .preferences = [](Core, Profile) -> std::vector<ParameterValues> {
      // An odd number of steps, so that neighbouring work-items read different banks of local memory.
      return {GroupsWithChunks{896, 128}, GroupsWithChunks{224, 32}, GroupsWithChunks{64, 1}};
    },
    .edges = [](const GroupsWithChunks& c) -> Edges {
      return {{c.chunk}, {}, {c.chunk / c.wg, c.chunk}};
    },
    .needs = reals,
    .memory = {.local_bytes = [](const GroupsWithChunks& c, Core core) -> std::uint64_t {
                 return static_cast<std::uint64_t>(c.chunk + c.wg) * (4 + size_of(core.type));
               },
               .private_bytes = [](const GroupsWithChunks& c, Core,
                                   Profile d) { return kept_across_barriers(d, c.wg, 64, 16); }},
    .execution = [](const GroupsWithChunks& c, Core core, Profile d) { return execution_of_groups(c, core, d); },
};

}  // namespace tilewright::detail::spmm_variants
