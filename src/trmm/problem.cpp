#include "trmm/problem.hpp"

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/operands/row_major.hpp"
#include "kernels/scalars.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b};

void check_sizes(const TrmmSystem& system) {
  const TrmmProblem& p = system.problem;
  const std::size_t element = size_of(p.type);
  check_extent(label_a, system.stored_a(), system.layout, element);
  check_extent(label_b, system.stored_b(), system.layout, element);
  check_batch_extent(label_a, system.stored_a(), p.batch.stride_a, p.batch.count, element);
  check_batch_extent(label_b, system.stored_b(), p.batch.stride_b, p.batch.count, element);
  check_batch_apart(label_b, system.stored_b(), p.batch.stride_b, p.batch.count);
  check_offset_alignment(p.offset_alignment);
}

}  // namespace

TrmmSystem trmm_system(const TrmmProblem& problem, const DeviceProfile& device) {
  check_rounded_type(problem.type, device, "trmm needs");
  TrmmSystem system{.problem = problem, .layout = problem.layout};
  TrmmProblem& p = system.problem;
  make_row_major(p);  // with A^T stored instead of A, the same `trans` applies: op(A)^T = op(A^T)
  if (p.trans == Transpose::conjugate_transpose && !is_complex(p.type)) p.trans = Transpose::yes;
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_b});
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  const bool is_left = system.is_left();
  system.order = is_left ? p.m : p.n;
  system.lines = is_left ? p.n : p.m;
  p.lda = completed_ld(label_a, system.order, p.lda);
  p.ldb = completed_ld(label_b, p.n, p.ldb);
  check_sizes(system);
  const bool is_transposed = is_left == (p.trans != Transpose::no);
  system.is_upper = (p.uplo == Uplo::upper) != is_transposed;
  system.t_row_step = is_transposed ? 1 : p.lda;
  system.t_column_step = is_transposed ? p.lda : 1;
  system.step = is_left ? p.ldb : 1;
  system.line_step = is_left ? 1 : p.ldb;
  return system;
}

void check_trmm_operands(const cl::Context& context, const TrmmSystem& system, const TrmmOperands& operands,
                         std::uint64_t workspace_bytes) {
  const TrmmProblem& p = system.problem;
  const bool reads = trmm_scalar(system, operands.alpha) != 0.0;
  if (system.empty()) return;
  OperandCheck check(context);
  OperandUse use{.label = label_a,
                 .layout = system.layout,
                 .matrix = system.stored_a(),
                 .places = BatchOffsets(p.batch.count, p.batch.stride_a),
                 .ref = operands.a,
                 .element = size_of(p.type),
                 .offset_alignment = p.offset_alignment,
                 .batched = p.batch.count != 1,
                 .read = reads};
  check.add(use);
  use.label = label_b;
  use.matrix = system.stored_b();
  use.places = BatchOffsets(p.batch.count, p.batch.stride_b);
  use.ref = operands.b;
  use.written = true;
  use.overlap_hint = "; the product overwrites B, so A needs memory of its own";
  check.add(use);
  check.finish(operands.workspace, workspace_bytes);
}

std::complex<double> trmm_scalar(const TrmmSystem& system, const Scalar& alpha) {
  check_scalar(system.problem.type, "alpha", alpha);
  return rounded(system.problem.type, alpha);
}

}  // namespace tilewright::detail
