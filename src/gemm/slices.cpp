#include "gemm/slices.hpp"

#include <algorithm>

namespace tilewright::detail {
namespace {

// How add_slices divides its work; the names are those of the macros in its file, and the first are its defaults.
struct SumShape {
  std::int64_t columns, items, parts;
};
constexpr SumShape cpu_shape{256, 1, 1};
constexpr SumShape gpu_shape{64, 64, 4};

}  // namespace

Slices split_k(const GemmProblem& problem, std::size_t work_groups, double wanted, std::int64_t least,
               std::int64_t step) {
  const std::uint64_t all = std::max<std::uint64_t>(1, problem.k);
  Slices result{1, static_cast<std::int64_t>(all)};
  if (least <= 0 || work_groups == 0) return result;
  const double products = static_cast<double>(std::max<std::uint64_t>(1, problem.batch.count));
  const auto most = static_cast<std::uint64_t>(wanted / products / static_cast<double>(work_groups));
  const std::uint64_t count = std::min(most, all / static_cast<std::uint64_t>(least));
  if (count <= 1) return result;
  result.length = static_cast<std::int64_t>(rounded_up((all + count - 1) / count, step));
  result.count = groups(all, result.length);
  return result;
}

double groups_to_fill(const DeviceProfile& device, std::int64_t items) {
  constexpr double items_per_unit = 256;
  return std::max(1.0, items_per_unit / static_cast<double>(items)) * device.compute_units;
}

Workspace slices_workspace(const GemmProblem& problem, const Slices& slices) {
  const std::uint64_t rows = bytes_of(slices.count, problem.m, 1);
  return {.bytes = bytes_of(problem.batch.count * rows, problem.n, size_of(problem.type))};
}

std::vector<Workspace> slices_workspaces(const GemmProblem& problem, const Slices& slices) {
  return slices.count > 1 ? std::vector{slices_workspace(problem, slices)} : std::vector<Workspace>{};
}

std::vector<KernelArgument> slices_arguments(std::uint64_t place) {
  return {{Operand::workspace, place}, {Operand::n}};
}

Pass add_slices_pass(const GemmProblem& problem, const DeviceProfile& device, const Slices& slices,
                     std::uint64_t place) {
  using enum Operand;
  const bool one_item = device.type == DeviceType::cpu || device.max_work_group_size < 256;
  const SumShape shape = one_item ? cpu_shape : gpu_shape;
  const auto items = static_cast<std::size_t>(shape.items * shape.parts);
  Pass pass{.kernel = "add_slices",
            .arguments = {{m}, {n}, {workspace, place}, {index, slices.count}, {beta}, {c}, {ldc}, {batch}},
            .global = {groups(problem.n, shape.columns) * items, static_cast<std::size_t>(problem.m)},
            .local = {items, 1}};
  if (!one_item)
    pass.defines = " -DSUM_COLUMNS=" + std::to_string(shape.columns) + " -DSUM_ITEMS=" + std::to_string(shape.items) +
                   " -DSUM_PARTS=" + std::to_string(shape.parts);
  return pass;
}

std::vector<Pass> product_in_slices(Pass product, const GemmProblem& problem, const DeviceProfile& device,
                                    const Slices& slices) {
  using enum Operand;
  if (slices.count == 1) return {std::move(product)};
  std::vector<KernelArgument> arguments;
  for (const KernelArgument& argument : product.arguments) {
    if (argument.operand == ldc) continue;
    if (argument.operand != c) {
      arguments.push_back(argument);
      continue;
    }
    for (const KernelArgument& slice : slices_arguments(0)) arguments.push_back(slice);
  }
  arguments.push_back({index, static_cast<std::uint64_t>(slices.length)});
  arguments.push_back({index, slices.count});
  product.arguments = std::move(arguments);
  product.global.push_back(slices.count);
  product.local.push_back(1);
  product.work_per_group = static_cast<double>(slices.length);
  product.defines = " -DSPLIT_K=1";
  return {std::move(product), add_slices_pass(problem, device, slices, 0)};
}

}  // namespace tilewright::detail
