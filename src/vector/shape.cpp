#include "vector/shape.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

// Bytes of what is read as one: a number as it is stored, or a word of what is moved.
std::int64_t bytes_at_once(VectorOperation operation, DataType type) {
  const std::size_t bytes =
      kernel_of(operation).moves ? std::min<std::size_t>(8, size_of(type)) : size_of(part_of(type));
  return static_cast<std::int64_t>(bytes);
}

// On CPUs fewer where a vector takes the registers of several: of sums, or of floats where halves are read. On GPUs a
// reduction has one vector of sums, so that registers are left for what is on its way.
std::int64_t unroll_of(VectorOperation operation, DataType type, bool on_cpu) {
  if (kernel_of(operation).moves) return 4;
  if (!on_cpu && is_reduction(operation)) return size_of(type) < 4 ? 4 : 8;
  const bool many_sums = operation == VectorOperation::nrm2 || operation == VectorOperation::iamax ||
                         operation == VectorOperation::compensated_dot ||
                         operation == VectorOperation::compensated_dotc || is_complex(type);
  return many_sums || size_of(type) < 4 ? 2 : 4;
}

bool is_dense(VectorOperation operation, const VectorProblem& p) {
  const auto& takes = kernel_of(operation).takes;
  return p.incx == 1 && (!takes[operand_y] || p.incy == 1) && (!takes[operand_z] || p.incz == 1);
}

}  // namespace

VectorShape shape_of(VectorOperation operation, const VectorProblem& problem, const DeviceProfile& device) {
  const std::int64_t bytes = bytes_at_once(operation, problem.type);
  const std::int64_t in_element = static_cast<std::int64_t>(size_of(problem.type)) / bytes;
  const bool on_cpu = device.type == DeviceType::cpu;
  VectorShape shape{.width = on_cpu ? std::min<std::int64_t>(16, 64 / std::min<std::int64_t>(bytes, 8)) : 16 / bytes,
                    .unroll = unroll_of(operation, problem.type, on_cpu),
                    .sums = 1,
                    .group = 1,
                    .chunked = on_cpu,
                    .aligned = !on_cpu && device.aligned_buffers,
                    .groups = 1};
  if (on_cpu) shape.sums = shape.unroll;
  if (!on_cpu)
    for (shape.group = 256; shape.group > 1 && static_cast<std::size_t>(shape.group) >
                                                   std::min(device.max_work_group_size, device.max_work_item_sizes[0]);)
      shape.group /= 2;
  // A group of a CPU is worth waking a thread for, and where there are several that reduce, a launch more. Groups of a
  // GPU are many where they only write; where each leaves a sum they are as many as keep the memory busy.
  const std::int64_t cpu_bytes = is_reduction(operation) ? 1 << 19 : 1 << 17;
  const std::int64_t elements = is_dense(operation, problem) ? std::max<std::int64_t>(1, shape.width / in_element) : 1;
  const std::int64_t a_group = on_cpu ? cpu_bytes / (bytes * in_element) : elements * shape.unroll * shape.group;
  const std::uint64_t most = std::uint64_t{device.compute_units} * (on_cpu ? 4 : is_reduction(operation) ? 4 : 128);
  shape.groups = std::clamp<std::uint64_t>(ceil_div(problem.n, a_group), 1,
                                           std::min<std::uint64_t>(most, device.max_work_groups[0]));
  return shape;
}

}  // namespace tilewright::detail
