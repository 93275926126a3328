#include "vector/shape.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "vector/problem.hpp"

namespace tilewright::detail {
namespace {

// Bytes of a component of the kernels' vectors: a stored number, or a word of bits that are moved.
std::int64_t component_bytes(VectorKernel kernel, DataType type) {
  const std::size_t bytes = info_of(kernel).moves ? std::min<std::size_t>(8, size_of(type)) : size_of(part_of(type));
  return static_cast<std::int64_t>(bytes);
}

// Vectors that a work-item loads before it uses them. On CPUs fewer if a vector takes several registers: sums with
// several parts, or floats converted from halves. On GPUs a reduction has one vector of sums, which leaves registers
// for loads in flight.
std::int64_t unroll_of(VectorKernel kernel, DataType type, bool on_cpu) {
  if (info_of(kernel).moves) return 4;
  if (!on_cpu && info_of(kernel).is_reduction()) return size_of(type) < 4 ? 4 : 8;
  const bool many_sums = kernel == VectorKernel::nrm2 || kernel == VectorKernel::iamax ||
                         kernel == VectorKernel::compensated_dot || kernel == VectorKernel::compensated_dotc ||
                         is_complex(type);
  return many_sums || size_of(type) < 4 ? 2 : 4;
}

bool is_dense(const VectorForm& form, const VectorProblem& p) {
  for (std::size_t i = 0; i < form.argument_count; ++i)
    if (increments(p)[form.arguments[i]] != 1) return false;
  return true;
}

}  // namespace

VectorShape shape_of(const VectorForm& form, const VectorProblem& problem, const DeviceProfile& device) {
  const bool is_reduction = form.is_reduction();
  const std::int64_t bytes = component_bytes(form.kernel, problem.type);
  const std::int64_t components = static_cast<std::int64_t>(size_of(problem.type)) / bytes;  // of an element
  const bool on_cpu = device.type == DeviceType::cpu;
  VectorShape shape{.width = on_cpu ? std::min<std::int64_t>(16, 64 / std::min<std::int64_t>(bytes, 8)) : 16 / bytes,
                    .unroll = unroll_of(form.kernel, problem.type, on_cpu),
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
  // On a CPU, a work-group must have enough work to be worth waking a thread, and for a reduction also a second launch.
  // On a GPU, elementwise kernels use many work-groups. Reductions use only as many as keep the memory busy, because
  // each of them leaves a sum.
  const std::int64_t cpu_bytes = is_reduction ? 1 << 19 : 1 << 17;
  const std::int64_t elements = is_dense(form, problem) ? std::max<std::int64_t>(1, shape.width / components) : 1;
  const std::int64_t per_group = on_cpu ? cpu_bytes / (bytes * components) : elements * shape.unroll * shape.group;
  const std::uint64_t max_groups = std::uint64_t{device.compute_units} * (on_cpu || is_reduction ? 4 : 128);
  shape.groups = std::clamp<std::uint64_t>(ceil_div(problem.n, per_group), 1,
                                           std::min<std::uint64_t>(max_groups, device.max_work_groups[0]));
  return shape;
}

}  // namespace tilewright::detail
