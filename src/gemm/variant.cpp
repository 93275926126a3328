#include "gemm/variant.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace tilewright::detail {

std::vector<Pass> launches(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                           const DeviceProfile& device) {
  std::vector<Pass> passes = variant.passes(configuration, problem, device);
  for (Pass& pass : passes) pass.most_groups = device.max_work_groups;
  if (is_batched(problem))
    for (Pass& pass : passes) {
      pass.global.resize(3, 1);
      if (!pass.local.empty()) pass.local.resize(3, 1);
      if (!pass.shared) pass.global[2] *= problem.batch.count;
    }
  return passes;
}

namespace {

bool is_twice_as_large(const Configuration& c, const GemmProblem& p) {
  return c.contains("tile_m") &&
         (static_cast<std::uint64_t>(c["tile_m"]) >= 2 * p.m || static_cast<std::uint64_t>(c["tile_n"]) >= 2 * p.n);
}

}  // namespace

std::vector<KernelArgument> gemm_arguments() {
  using enum Operand;
  return {{m}, {n}, {k}, {alpha}, {a}, {lda}, {b}, {ldb}, {beta}, {c}, {ldc}, {batch}};
}

std::vector<Pass> pass_over_rows(const Configuration& configuration, const GemmProblem& problem, const DeviceProfile&) {
  const auto wg = static_cast<std::size_t>(configuration["wg"]);
  return {{.arguments = gemm_arguments(), .global = {groups(problem.m, configuration["wg"]) * wg}, .local = {wg}}};
}

std::size_t groups(std::uint64_t size, std::int64_t per_group) {
  const auto per = static_cast<std::uint64_t>(per_group);
  return static_cast<std::size_t>((size + per - 1) / per);
}

std::uint64_t rounded_up(std::uint64_t size, std::int64_t multiple) {
  return groups(size, multiple) * static_cast<std::uint64_t>(multiple);
}

std::uint64_t bytes_of(std::uint64_t rows, std::uint64_t columns, std::size_t element) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (rows == 0 || columns == 0) return 0;
  return columns > most / element / rows ? most : rows * columns * element;
}

GroupWork group_work(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                     const DeviceProfile& device) {
  for (const Pass& pass : launches(variant, configuration, problem, device)) {
    if (std::string_view(pass.kernel) != "gemm") continue;
    double count = 1;
    for (std::size_t d = 0; d < pass.global.size(); ++d) {
      const std::size_t along = pass.local.empty() ? pass.global[d] : pass.global[d] / pass.local[d];
      count *= static_cast<double>(along);
    }
    return {count, pass.work_per_group > 0 ? pass.work_per_group : static_cast<double>(problem.k)};
  }
  return {};
}

std::vector<Configuration> that_fill(const GemmVariant& variant, const GemmProblem& problem,
                                     const DeviceProfile& device, double wanted,
                                     std::vector<Configuration> largest_first) {
  const auto fills = [&](const Configuration& configuration) {
    return group_work(variant, configuration, problem, device).groups >= wanted &&
           (problem.batch.count <= 1 || !is_twice_as_large(configuration, problem));
  };
  const auto first = std::find_if(largest_first.begin(), largest_first.end() - 1, fills);
  largest_first.erase(largest_first.begin(), first);
  return largest_first;
}

// Fitted to the stack frames of PoCL 3.1's kernels, which take at most 1.8 times as much.
std::uint64_t kept_across_barriers(const DeviceProfile& device, std::int64_t items, std::uint64_t arrays,
                                   std::int64_t steps) {
  constexpr std::uint64_t of_arrays = 5, of_step = 16, of_item = 512;
  if (device.type != DeviceType::cpu || items == 1) return arrays;
  return of_arrays * arrays + of_step * static_cast<std::uint64_t>(steps) + of_item;
}

bool is_vector_width(std::int64_t width) { return width == 1 || width == 2 || width == 4 || width == 8 || width == 16; }

}  // namespace tilewright::detail
