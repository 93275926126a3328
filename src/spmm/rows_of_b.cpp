#include "spmm/rows_of_b.hpp"

#include <algorithm>

#include "kernels/build_options.hpp"

namespace tilewright::detail {

void read_rows_of_b(const SpmmCore& core, const DeviceProfile& device, std::vector<Launch>& launches,
                    std::vector<Workspace>& workspaces) {
  if (core.layout_b == Layout::row_major) return;
  using namespace spmm_slots;
  const SpmmCore rows = with_rows_of_b(core);
  const bool shared = core.batch.stride_b == 0;
  const KernelArgument copy = workspace(workspaces.size());
  workspaces.push_back(
      {.bytes = bytes_of(core.a.columns * (shared ? 1 : core.batch.count), core.n, size_of(core.type))});
  for (Launch& launch : launches) std::replace(launch.arguments.begin(), launch.arguments.end(), b, copy);
  constexpr std::int64_t tile = 16;
  const std::size_t items = side_items(device).copy;
  launches.insert(launches.begin(), {.kernel = "rows_of_b",
                                     .arguments = {index(core.a.columns), index(core.n), b, index(core.ldb),
                                                   offset(core.batch.stride_b), copy, offset(rows.batch.stride_b)},
                                     .global = {ceil_div(core.a.columns, tile) * tile, ceil_div(core.n, tile) * items},
                                     .local = {tile, items},
                                     .prepares = Preparation{.input = b.value},
                                     .shared = shared,
                                     .defines = define("COPY_ITEMS", items)});
}

}  // namespace tilewright::detail
