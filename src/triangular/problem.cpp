#include "triangular/problem.hpp"

#include "kernels/scalars.hpp"

namespace tilewright::detail {

TrsmSystem trsm_system(const TrsmProblem& problem, const DeviceProfile& device) {
  check_lapack_type(problem.type, device, "triangular systems need");
  TrsmSystem system{triangle_form(problem)};
  const TrsmProblem& p = system.problem;
  const bool is_left = system.is_left();
  system.nrhs = is_left ? p.n : p.m;
  system.is_conjugated = p.trans == Transpose::conjugate_transpose;
  system.b_row_step = is_left ? p.ldb : 1;
  system.b_column_step = is_left ? 1 : p.ldb;
  return system;
}

void check_trsm_operands(const cl::Context& context, const TrsmSystem& system, const TrsmOperands& operands,
                         std::uint64_t workspace_bytes) {
  const bool reads = checked_scalar(system.problem.type, "alpha", operands.alpha) != 0.0;
  if (system.empty()) return;
  check_triangle_operands(context, system, operands, reads, "; X overwrites B, so A needs memory of its own",
                          workspace_bytes);
}

}  // namespace tilewright::detail
