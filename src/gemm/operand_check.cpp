#include "gemm/operand_check.hpp"

#include <string>

#include "gemm/epilogue.hpp"
#include "kernels/operands/operand_check.hpp"

namespace tilewright::detail {
namespace {

OperandUse use_of(const GemmProblem& problem, Layout layout, const NamedMatrix& named, const MatrixRef& ref,
                  const BatchOffsets& places) {
  return {.label = named.label,
          .layout = layout,
          .matrix = named.stored(problem),
          .places = places,
          .ref = ref,
          .element = size_of(named.type(problem)),
          .offset_alignment = problem.offset_alignment,
          .batched = is_batched(problem)};
}

// For batches by offsets; matrices of strided batches are known to be disjoint.
void check_batch_apart(const PlacedOperand& c) {
  if (const auto distance = overlap_within(c.matrices))
    throw Error(ErrorCode::overlapping_operands, OperandName::c,
                "two matrices C of the batch overlap: they start " + std::to_string(*distance) + " elements apart");
}

void add_epilogue(OperandCheck& check, const OperandRules& rules, const GemmOperands& operands) {
  const GemmProblem& p = rules.problem;
  for (const EpilogueOperand& operand : epilogue_operands(p)) {
    const bool is_residual = operand.label.operand == OperandName::residual;
    const BatchOffsets places = !is_residual         ? BatchOffsets(1, 0)
                                : p.batch.by_offsets ? BatchOffsets(operands.offsets.c)
                                                     : BatchOffsets(p.batch.count, p.epilogue.stride_residual);
    check.add({.label = operand.label,
               .layout = rules.layout,
               .matrix = operand.matrix,
               .places = places,
               .ref = operands.*operand.ref,
               .element = size_of(operand.type),
               .offset_alignment = is_residual ? p.offset_alignment : 1,
               .batched = is_residual && is_batched(p),
               .read = true,
               .overlap_hint = is_residual ? "; to add C itself, use beta" : "; it would be read after C is written"});
  }
}

}  // namespace

void check_offset_counts(const GemmProblem& problem, Layout layout, const GemmOffsets& offsets) {
  if (!problem.batch.by_offsets) return;
  for (const NamedMatrix& named : matrices_of_caller(layout))
    if (const std::size_t count = (offsets.*named.offsets).size(); count != problem.batch.count)
      throw Error(ErrorCode::invalid_batch, named.label.operand,
                  std::to_string(count) + " offsets were given for " + named.label.name + ", but " +
                      std::to_string(problem.batch.count) + " products need one each");
}

void check_operands(const OperandRules& rules, const GemmOperands& operands) {
  const GemmProblem& problem = rules.problem;
  const Batch& batch = problem.batch;
  OperandCheck check(rules.context);
  if (!is_empty(problem)) {
    const bool new_offsets = batch.by_offsets && rules.new_offsets;
    const PlacedOperand* c = nullptr;
    for (const NamedMatrix& named : matrices_of_caller(rules.layout)) {
      const auto offsets = operands.offsets.*named.offsets;
      OperandUse use =
          use_of(problem, rules.layout, named, operands.*named.ref,
                 batch.by_offsets ? BatchOffsets(offsets) : BatchOffsets(batch.count, batch.*named.stride));
      use.new_offsets = new_offsets;
      use.written = named.label.operand == OperandName::c;
      use.read = use.written ? rules.reads.c : named.ref == &GemmOperands::a ? rules.reads.a : rules.reads.b;
      if (use.written) use.why_read = ", as beta is not 0";
      if (use.written) use.overlap_hint = "; a product does not work in place";
      c = check.add(use);
    }
    add_epilogue(check, rules, operands);
    if (new_offsets) check_batch_apart(*c);
    if (!rules.in_place) check.check_all_apart();
  }
  check.check_workspace(operands.workspace, rules.workspace_bytes);
}

void check_input(const cl::Context& context, const GemmProblem& problem, Layout layout, const MatrixRef& ref,
                 const NamedMatrix& named) {
  OperandUse use = use_of(problem, layout, named, ref, BatchOffsets(problem.batch.count, problem.batch.*named.stride));
  use.read = true;
  check_matrices(context, use);
}

}  // namespace tilewright::detail
