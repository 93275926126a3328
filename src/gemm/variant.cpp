#include "gemm/variant.hpp"

namespace tilewright::detail {

std::vector<KernelArgument> gemm_arguments(const GemmProblem& p) {
  using namespace gemm_slots;
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

}  // namespace tilewright::detail
