#include "spmm/variant.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"

namespace tilewright::detail {

std::string Operation<SpmmCore>::unsupported_type(const SpmmCore& core, const DeviceProfile& device) {
  return why_unsupported(core.type, device);
}

std::uint64_t steps_of_chunk(const SpmmVariant& variant, const ParameterValues& values) {
  for (std::size_t i = 0; i < variant.parameters.size(); ++i)
    if (std::string_view(variant.parameters[i].name) == "chunk") return static_cast<std::uint64_t>(values[i]);
  return 0;
}

std::uint64_t chunks_of(std::int64_t chunk, const SpmmCore& core) {
  return core.chunks != 0 ? core.chunks : ceil_div(core.steps(), chunk);
}

double work_of_chunk(std::int64_t chunk, const SpmmCore& core) {
  return static_cast<double>(std::min(static_cast<std::uint64_t>(chunk), core.steps()));
}

std::vector<KernelArgument> spmm_arguments(const SpmmCore& core) {
  using namespace spmm_slots;
  std::vector<KernelArgument> result{index(core.a.rows), index(core.n), row_offsets, column_indices};
  if (core.permuted) result.push_back(permutation);
  result.insert(result.end(), {alpha, a, b, index(core.ldb), beta, c, index(core.ldc), batch});
  return result;
}

std::vector<KernelArgument> chunk_arguments(std::int64_t chunk, const SpmmCore& core) {
  auto result = spmm_arguments(core);
  result.insert(result.end(), {argument::index(chunks_of(chunk, core)), argument::workspace(0)});
  return result;
}

Execution with_divided_rows(Launch main, std::int64_t chunk, const SpmmCore& core, const DeviceProfile& device) {
  using namespace spmm_slots;
  const std::uint64_t chunks = chunks_of(chunk, core);
  // With fewer columns, more work-items add up each one: a row may lie in every chunk.
  const std::size_t items = side_items(device).parts;
  const auto width = std::min<std::uint64_t>(std::bit_ceil(core.n), std::min<std::uint64_t>(items, 32));
  Launch divided{.kernel = divided_rows_kernel,
                 .arguments = {index(core.a.rows), index(core.n), row_offsets, alpha, beta, c, index(core.ldc), batch,
                               index(chunks), workspace(0), index(width)},
                 .global = {ceil_div(core.n, static_cast<std::int64_t>(width)) * items, 1},
                 .local = {items, 1}};
  return {.launches = {std::move(main), std::move(divided)},
          .workspaces = {{.bytes = bytes_of(2 * chunks * core.batch.count, core.n, size_of(core.type))}}};
}

Execution execution_of_groups(const GroupsWithChunks& c, const SpmmCore& core, const DeviceProfile& device) {
  const auto wg = static_cast<std::size_t>(c.wg);
  return with_divided_rows({.kernel = "spmm",
                            .arguments = chunk_arguments(c.chunk, core),
                            .global = {chunks_of(c.chunk, core) * wg, core.n},
                            .local = {wg, 1},
                            .work_per_group = work_of_chunk(c.chunk, core)},
                           c.chunk, core, device);
}

SideItems side_items(const DeviceProfile& device) {
  constexpr SideItems many{.copy = 16, .parts = 256};
  return device.type == DeviceType::cpu || device.max_work_group_size < 16 * many.copy ? SideItems{} : many;
}

std::string spmm_defines(const SpmmCore& core, const DeviceProfile& device) {
  return element_options(core.type) + define("INDEX_BITS", needs_64_bit_indices(core) ? 64 : 32) +
         define("STRUCTURE_BITS", has_64_bit_structure(core) ? 64 : 32) + define("PERMUTED", core.permuted) +
         define("C_BY_COLUMNS", core.layout_c == Layout::column_major) + define("COPY_ITEMS", side_items(device).copy) +
         define("PART_ITEMS", side_items(device).parts);
}

}  // namespace tilewright::detail
