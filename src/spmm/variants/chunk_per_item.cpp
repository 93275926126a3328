#include <algorithm>

#include "spmm/variant.hpp"

namespace tilewright::detail {

extern const SpmmVariant chunk_per_item_spmm;

const SpmmVariant chunk_per_item_spmm{
    .name = "chunk_per_item",
    .summary = "a work-item walks the rows of a chunk of equal work, with vectors of columns of C",
    .file = "spmm/chunk_per_item.cl",
    .shared_files = {"spmm/chunks.cl"},
    .parameters = {{"chunk", {}, "rows plus stored elements of a chunk", {1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 24}}},
    .edges = [](const Configuration& c) -> Edges {
      return {{c["chunk"]}, {16, 8, 4, 2}};
    },
    .types = sums_of_reals,
    .why_no_other_type = only_reals,
    .unsupported = always_supported<SpmmCore>,
    .preferences =
        [](const SpmmCore& core, const DeviceProfile& d) {
          // Several chunks per core, so that a slow chunk does not delay the whole product.
          const std::uint64_t chunks = std::uint64_t{8} * std::max(1U, d.compute_units);
          const std::uint64_t steps = std::clamp<std::uint64_t>(core.steps() / chunks, 1 << 8, 1 << 24);
          return std::vector<Configuration>{{{"chunk", static_cast<std::int64_t>(steps)}}};
        },
    .launch_parameters = {"chunk"},
    .extra_defines = [](const Configuration&, const SpmmCore& core) -> std::string {
      if (core.n != 1) return {};
      return std::string(" -DONE_COLUMN=1") + (core.ldb == 1 ? " -DUNIT_LDB=1" : "");
    },
    .workspaces = parts_of_chunks,
    .launches =
        [](const Configuration& c, const SpmmCore& core, const DeviceProfile& d) {
          return std::vector<Launch>{{.kernel = "spmm",
                                      .arguments = chunk_arguments(c, core),
                                      .global = {chunks_of(c, core), 1},
                                      .local = {1, 1},
                                      .work_per_group = work_of_chunk(c, core) * static_cast<double>(core.n)},
                                     divided_rows_launch(c, core, d)};
        },
};

}  // namespace tilewright::detail
