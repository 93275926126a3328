#include <bit>

#include "spmm/variant.hpp"

namespace tilewright::detail {

extern const SpmmVariant row_blocks_spmm;
namespace {

using Config = const Configuration&;
using Core = const SpmmCore&;
using Profile = const DeviceProfile&;

}  // namespace

const SpmmVariant row_blocks_spmm{
    .name = "row_blocks",
    .summary = "a group holds a block of whole rows in local memory and divides its lanes among them",
    .file = "spmm/row_blocks.cl",
    .shared_files = {"spmm/chunks.cl"},
    .parameters = {{"chunk", {}, "rows plus stored elements of a group", {256, 384, 512, 768, 1024, 1536, 2048, 4096}},
                   {"wg", {}, "work-items of a group", {32, 64, 128, 256}}},
    .constraints = {{"wg is a power of two",
                     "sums are added by halves",
                     {"wg"},
                     [](Config c, Core, Profile) { return std::has_single_bit(static_cast<std::uint64_t>(c["wg"])); }}},
    .edges = [](Config c) -> Edges {
      return {{c["wg"], c["chunk"]}, {}, {c["chunk"] / 4, c["chunk"]}};
    },
    .types = sums_of_reals,
    .why_no_other_type = only_reals,
    .unsupported = always_supported<SpmmCore>,
    .preferences =
        [](Core, Profile) {
          return std::vector<Configuration>{
              {{"chunk", 768}, {"wg", 128}}, {{"chunk", 256}, {"wg", 32}}, {{"chunk", 64}, {"wg", 1}}};
        },
    .local_bytes = [](Config c, Core core) -> std::uint64_t {
      return static_cast<std::uint64_t>(c["chunk"] + c["wg"]) * size_of(core.type);
    },
    .private_bytes = [](Config c, Core, Profile d) { return kept_across_barriers(d, c["wg"], 64, 16); },
    .workspaces = parts_of_chunks,
    .launches = launches_of_groups_with_chunks,
};

}  // namespace tilewright::detail
