#include "gemm/variant.hpp"

#include <algorithm>

namespace tilewright::detail {
namespace {

bool is_twice_as_large(const Configuration& c, const GemmProblem& p) {
  return c.contains("tile_m") &&
         (static_cast<std::uint64_t>(c["tile_m"]) >= 2 * p.m || static_cast<std::uint64_t>(c["tile_n"]) >= 2 * p.n);
}

}  // namespace

std::vector<KernelArgument> gemm_arguments(const GemmProblem& p) {
  using namespace argument;
  return {index(p.m),   index(p.n), depth, alpha,        a,     index(p.lda), b,
          index(p.ldb), beta,       c,     index(p.ldc), batch, epilogue};
}

Execution over_rows(const GemmProblem& problem, std::int64_t wg) {
  const auto group = static_cast<std::size_t>(wg);
  return {.launches = {{.kernel = "gemm",
                        .arguments = gemm_arguments(problem),
                        .global = {ceil_div(problem.m, wg) * group},
                        .local = {group}}}};
}

std::vector<Configuration> shrink_to_fill(const GemmVariant& variant, const GemmProblem& problem,
                                          const DeviceProfile& device, double wanted,
                                          std::vector<Configuration> largest_first) {
  const auto fills = [&](const Configuration& configuration) {
    return group_work(variant, ParameterValues(configuration), problem, device).groups >= wanted &&
           (problem.batch.count <= 1 || !is_twice_as_large(configuration, problem));
  };
  const auto first = std::find_if(largest_first.begin(), largest_first.end() - 1, fills);
  largest_first.erase(largest_first.begin(), first);
  return largest_first;
}

}  // namespace tilewright::detail
