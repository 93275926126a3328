#include "gemm/variant.hpp"

#include <algorithm>
#include <limits>

namespace tilewright::detail {

std::vector<KernelArgument> gemm_arguments() {
  using enum Operand;
  return {{m}, {n}, {k}, {alpha}, {a}, {lda}, {b}, {ldb}, {beta}, {c}, {ldc}};
}

std::vector<Pass> pass_over_rows(const Configuration& configuration, const GemmProblem& problem) {
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

std::vector<Configuration> that_fill(const GemmVariant& variant, const GemmProblem& problem, double wanted,
                                     std::vector<Configuration> largest_first) {
  const auto fills = [&](const Configuration& configuration) {
    const Pass product = variant.passes(configuration, problem).back();
    double count = 1;
    for (std::size_t d = 0; d < product.global.size(); ++d) {
      const std::size_t along = product.global[d] / product.local[d];
      count *= static_cast<double>(along);
    }
    return count >= wanted;
  };
  const auto first = std::find_if(largest_first.begin(), largest_first.end() - 1, fills);
  largest_first.erase(largest_first.begin(), first);
  return largest_first;
}

}  // namespace tilewright::detail
