#include "gemm/variant.hpp"

namespace tilewright::detail {

std::vector<KernelArgument> gemm_arguments(const GemmProblem& p) {
  using namespace gemm_slots;
  return {index(p.m),   index(p.n), depth, alpha,        a,     index(p.lda), b,
          index(p.ldb), beta,       c,     index(p.ldc), batch, epilogue};
}

std::uint64_t value_of(const GemmVariant& variant, const ParameterValues& values, std::string_view name) {
  for (std::size_t i = 0; i < variant.parameters.size(); ++i)
    if (variant.parameters[i].name == name) return static_cast<std::uint64_t>(values[i]);
  return 0;
}

TileSize tile_of(const GemmVariant& variant, const ParameterValues& values) {
  return {value_of(variant, values, "tile_m"), value_of(variant, values, "tile_n")};
}

Execution over_rows(const GemmProblem& problem, std::int64_t wg) {
  const auto group = static_cast<std::size_t>(wg);
  return {.launches = {{.kernel = "gemm",
                        .arguments = gemm_arguments(problem),
                        .global = {ceil_div(problem.m, wg) * group},
                        .local = {group}}}};
}

}  // namespace tilewright::detail
