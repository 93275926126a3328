#include "kernels/vector_copy.hpp"

#include <algorithm>

#include "kernels/build_options.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

LaunchSequence vector_copy(const Engine& engine, std::size_t element_bytes, std::uint64_t length, std::uint64_t count,
                           const VectorSteps& from, const VectorSteps& to) {
  using namespace argument;
  const DeviceProfile& device = engine.profile();
  const std::size_t items = std::min<std::size_t>({64, device.max_work_group_size, device.max_work_item_sizes[0]});
  Launch launch{.kernel = "vector_copy",
                .arguments = {offset(length), matrix(0), offset(from.step), offset(from.stride), matrix(1),
                              offset(to.step), offset(to.stride)},
                .global = {ceil_div(length, static_cast<std::int64_t>(items)) * items, 1},
                .local = {items, 1}};
  LaunchSequence sequence(engine);
  sequence.build(engine,
                 {"vector_copy",
                  {"common/index.cl", "common/vector_copy.cl"},
                  language_option() + define("ELEMENT_BYTES", element_bytes) + define("WG", items)},
                 in_grids({std::move(launch)}, count, device.max_work_groups), {.batch_count = count});
  return sequence;
}

}  // namespace tilewright::detail
