#include "lu/lu_shape.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

// Launches cost a CPU a part of a leaf's time, and one work-item does a leaf: panels are narrow.
LuShape shape_of_cpu(DataType type) {
  return {.by_items = true,
          .capacity = 64,
          .panel = 128,
          .lanes = std::min<std::uint64_t>(16, 64 / size_of(type)),
          .group = 1,
          .leaf_group = 1,
          .narrow = 1};
}

}  // namespace

std::string LuShape::options(DataType type) const {
  const auto define = [](const char* name, std::uint64_t value) {
    return std::string(" -D") + name + "=" + std::to_string(value);
  };
  return "-cl-std=CL1.2 -DINDEX_BITS=64" + define("LEAF", capacity) + define("LANES", lanes) + define("ROWS", rows) +
         define("WG", group) + define("LEAF_WG", leaf_group) + define("NARROW", narrow) +
         define("MOST_GROUPS", max_groups) + define("PRIVATE_COPY", private_copy ? 1 : 0) + element_options(type);
}

bool may_groups_wait(const DeviceProfile& device) {
  return device.type == DeviceType::gpu && device.vendor == Vendor::nvidia;
}

LuShape lu_shape(const DeviceProfile& device, const LuProblem& problem) {
  const std::uint64_t rows = problem.task == LuTask::getrf ? problem.m : problem.n;
  const bool is_small = std::max(rows, problem.n) <= 64;
  LuShape shape;
  if (device.type == DeviceType::cpu) {
    shape = shape_of_cpu(problem.type);
    if (is_small) {
      shape.leaf = shape.capacity;
      shape.private_copy = true;
    }
    return shape;
  }
  const std::size_t most = std::min(device.max_work_group_size, device.max_work_item_sizes[0]);
  if (most < shape.group) {
    shape.group = shape.leaf_group = shape.narrow = 64;
    shape.leaf = shape.capacity = 16;  // fewer rows for each group to wait for
  }
  if (is_small) {
    shape.max_groups = 1;
    // One launch, of a group for each matrix.
    shape.capacity = 8;
    while (shape.capacity < std::max(rows, problem.n)) shape.capacity *= 2;
    shape.leaf = shape.capacity;
    shape.leaf_group = shape.narrow = std::max<std::size_t>(16, shape.leaf);
    return shape;
  }
  if (!may_groups_wait(device)) return shape;
  // Several such launches may be under way at once, on several queues, and none must keep another from starting. A
  // multiprocessor has room for more than one such group.
  shape.resident_groups = std::min<std::uint64_t>(64, device.compute_units / 2);
  // What a work-item holds must stay in registers, and the words of so many groups are read at once.
  const std::uint64_t max_rows = problem.type == DataType::f64 ? 2 : 4, few = 32;
  const auto groups = [&] { return ceil_div(rows, static_cast<std::int64_t>(shape.leaf_group * shape.rows)); };
  while (shape.rows < max_rows && groups() * problem.batch.count > few) shape.rows *= 2;
  return shape;
}

}  // namespace tilewright::detail
