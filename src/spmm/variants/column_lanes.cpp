#include <algorithm>
#include <bit>

#include "spmm/variant.hpp"

namespace tilewright::detail::spmm_variants {
namespace {

struct ColumnLanes {
  std::int64_t lanes, columns, chunks, chunk;
};

using Core = const SpmmCore&;
using Profile = const DeviceProfile&;

}  // namespace

extern constexpr SpmmVariant column_lanes{
    .name = "column_lanes",
    .summary = "neighbouring work-items walk the rows of a chunk, each with its columns of C",
    .program = {.file = "spmm/column_lanes.cl",
                .shared_files = {"spmm/chunks.cl"},
                .launch_parameters = {&ColumnLanes::chunk}},
    .parameters =
        {{"lanes", &ColumnLanes::lanes, "work-items of a chunk", {4, 8, 16, 32}},
         {"columns", &ColumnLanes::columns, "columns of each", {1, 2, 4}},
         {"chunks", &ColumnLanes::chunks, "chunks of a group", {1, 2, 4, 8, 16}},
         {"chunk", &ColumnLanes::chunk, "rows plus stored elements of a chunk", {32, 64, 128, 256, 512, 1024, 4096}}},
    .preferences = [](Core core, Profile) -> std::vector<ParameterValues> {
      const std::int64_t lanes = core.n > 32 ? 32 : core.n > 8 ? 16 : core.n > 4 ? 8 : 4;
      const std::int64_t columns = core.n > 64 ? 4 : core.n > 16 ? 2 : 1;
      // Short chunks balance the load, and neighbouring chunks read the same rows of B at the same time.
      // A row of usual length is not divided, see even_chunks().
      const auto usual = static_cast<std::uint64_t>(core.a.mean + std::min(core.a.mean, core.a.deviation));
      const auto chunk = static_cast<std::int64_t>(std::bit_ceil(std::clamp<std::uint64_t>(4 * usual, 64, 1024)));
      return {ColumnLanes{lanes, columns, 128 / lanes, chunk}, ColumnLanes{lanes, 1, 1, chunk},
              ColumnLanes{1, 1, 1, chunk}};
    },
    .edges = [](const ColumnLanes& c) -> Edges {
      return {{c.chunks}, {c.lanes, c.lanes * c.columns}, {c.chunk}};
    },
    .needs = reals,
    .execution =
        [](const ColumnLanes& c, Core core, Profile d) {
          const auto lanes = static_cast<std::size_t>(c.lanes), chunks = static_cast<std::size_t>(c.chunks);
          return with_divided_rows({.kernel = "spmm",
                                    .arguments = chunk_arguments(c.chunk, core),
                                    .global = {ceil_div(core.n, c.lanes * c.columns) * lanes,
                                               ceil_div(chunks_of(c.chunk, core), c.chunks) * chunks},
                                    .local = {lanes, chunks},
                                    .work_per_group = work_of_chunk(c.chunk, core)},
                                   c.chunk, core, d);
        },
};

}  // namespace tilewright::detail::spmm_variants
