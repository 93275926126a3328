#include <algorithm>

#include "kernels/build_options.hpp"
#include "spmm/variant.hpp"

namespace tilewright::detail::spmm_variants {
namespace {

struct ChunkPerItem {
  std::int64_t chunk;
};

}  // namespace

extern constexpr SpmmVariant chunk_per_item{
    .name = "chunk_per_item",
    .summary = "a work-item walks the rows of a chunk of equal work, with vectors of columns of C",
    .program = {.file = "spmm/chunk_per_item.cl",
                .shared_files = {"spmm/chunks.cl"},
                .launch_parameters = {&ChunkPerItem::chunk},
                .extra_defines = [](const ChunkPerItem&, const SpmmCore& core) -> std::string {
                  if (core.n != 1) return {};
                  return define("ONE_COLUMN", 1) + define_if(core.ldb == 1, "UNIT_LDB");
                }},
    .parameters = {{"chunk",
                    &ChunkPerItem::chunk,
                    "rows plus stored elements of a chunk",
                    {1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 24}}},
    .preferences = [](const SpmmCore& core, const DeviceProfile& d) -> std::vector<ParameterValues> {
      // Several chunks per core, so that a slow chunk does not delay the whole product.
      const std::uint64_t chunks = std::uint64_t{8} * std::max(1U, d.compute_units);
      const std::uint64_t steps = std::clamp<std::uint64_t>(core.steps() / chunks, 1 << 8, 1 << 24);
      return {ChunkPerItem{static_cast<std::int64_t>(steps)}};
    },
    .edges = [](const ChunkPerItem& c) -> Edges {
      return {{c.chunk}, {16, 8, 4, 2}};
    },
    .needs = reals,
    .execution =
        [](const ChunkPerItem& c, const SpmmCore& core, const DeviceProfile& d) {
          return with_divided_rows({.kernel = "spmm",
                                    .arguments = chunk_arguments(c.chunk, core),
                                    .global = {chunks_of(c.chunk, core), 1},
                                    .local = {1, 1},
                                    .work_per_group = work_of_chunk(c.chunk, core) * static_cast<double>(core.n)},
                                   c.chunk, core, d);
        },
};

}  // namespace tilewright::detail::spmm_variants
