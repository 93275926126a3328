#include "symm/problem.hpp"

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/operands/row_major.hpp"
#include "kernels/scalars.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b}, label_c{"C", OperandName::c};

void check_sizes(const SymmSystem& system) {
  const SymmProblem& p = system.problem;
  const std::size_t element = size_of(p.type);
  check_extent(label_a, system.stored_a(), system.layout, element);
  check_extent(label_b, system.stored_b(), system.layout, element);
  check_extent(label_c, system.stored_c(), system.layout, element);
  check_batch_extent(label_a, system.stored_a(), p.batch.stride_a, p.batch.count, element);
  check_batch_extent(label_b, system.stored_b(), p.batch.stride_b, p.batch.count, element);
  check_batch_extent(label_c, system.stored_c(), p.batch.stride_c, p.batch.count, element);
  check_batch_apart(label_c, system.stored_c(), p.batch.stride_c, p.batch.count);
  check_offset_alignment(p.offset_alignment);
}

}  // namespace

SymmSystem symm_system(const SymmProblem& problem, const DeviceProfile& device) {
  check_rounded_type(problem.type, device, "symm needs");
  SymmSystem system{.problem = problem, .layout = problem.layout};
  SymmProblem& p = system.problem;
  make_row_major(p);
  if (!is_complex(p.type)) p.symmetry = Symmetry::symmetric;
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_b, &Batch::stride_c});
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  p.lda = completed_ld(label_a, system.order(), p.lda);
  p.ldb = completed_ld(label_b, p.n, p.ldb);
  p.ldc = completed_ld(label_c, p.n, p.ldc);
  check_sizes(system);
  return system;
}

void check_symm_operands(const cl::Context& context, const SymmSystem& system, const SymmOperands& operands,
                         std::uint64_t workspace_bytes) {
  const SymmProblem& p = system.problem;
  check_scalar(p.type, "alpha", operands.alpha);
  check_scalar(p.type, "beta", operands.beta);
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
                 .read = !rounds_to_zero(p.type, operands.alpha)};
  check.add(use);
  use.label = label_b;
  use.matrix = system.stored_b();
  use.places = BatchOffsets(p.batch.count, p.batch.stride_b);
  use.ref = operands.b;
  check.add(use);
  use.label = label_c;
  use.matrix = system.stored_c();
  use.places = BatchOffsets(p.batch.count, p.batch.stride_c);
  use.ref = operands.c;
  use.read = !rounds_to_zero(p.type, operands.beta);
  use.why_read = ", as beta is not 0";
  use.written = true;
  use.overlap_hint = "; the product cannot be in place";
  check.add(use);
  check.finish(operands.workspace, workspace_bytes);
}

}  // namespace tilewright::detail
