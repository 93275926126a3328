#include "trmm/problem.hpp"

#include "kernels/scalars.hpp"

namespace tilewright::detail {

TrmmSystem trmm_system(const TrmmProblem& problem, const DeviceProfile& device) {
  check_rounded_type(problem.type, device, "trmm needs");
  TrmmSystem system{triangle_form(problem)};
  const TrmmProblem& p = system.problem;
  const bool is_left = system.is_left();
  system.lines = is_left ? p.n : p.m;
  system.step = is_left ? p.ldb : 1;
  system.line_step = is_left ? 1 : p.ldb;
  return system;
}

void check_trmm_operands(const cl::Context& context, const TrmmSystem& system, const TrmmOperands& operands,
                         std::uint64_t workspace_bytes) {
  const bool reads = checked_scalar(system.problem.type, "alpha", operands.alpha) != 0.0;
  if (system.empty()) return;
  check_triangle_operands(context, system, operands, reads, "; the product overwrites B, so A needs memory of its own",
                          workspace_bytes);
}

}  // namespace tilewright::detail
