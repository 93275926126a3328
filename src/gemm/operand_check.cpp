#include "gemm/operand_check.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gemm/epilogue.hpp"
#include "kernels/operands/operand_check.hpp"

namespace tilewright::detail {
namespace {

OperandUse use_of(const GemmProblem& problem, const NamedMatrix& named, const MatrixRef& ref,
                  const BatchOffsets& places) {
  return {.label = named.label,
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

using PlacedEpilogue = std::vector<std::pair<OperandLabel, PlacedOperand>>;

PlacedEpilogue check_epilogue(const OperandRules& rules, const GemmOperands& operands) {
  const GemmProblem& p = rules.problem;
  const GemmEpilogue& epilogue = p.epilogue;
  PlacedEpilogue placed;
  for (const EpilogueOperand& operand : epilogue_operands(p)) {
    const bool is_residual = operand.label.operand == OperandName::residual;
    const BatchOffsets places = !is_residual         ? BatchOffsets(1, 0)
                                : p.batch.by_offsets ? BatchOffsets(operands.offsets.c)
                                                     : BatchOffsets(p.batch.count, epilogue.stride_residual);
    const OperandUse use{.label = operand.label,
                         .matrix = operand.matrix,
                         .places = places,
                         .ref = operands.*operand.ref,
                         .element = size_of(operand.type),
                         .offset_alignment = is_residual ? p.offset_alignment : 1,
                         .batched = is_residual && is_batched(p),
                         .read = true};
    placed.emplace_back(operand.label, check_matrices(rules.context, rules.layout, use));
  }
  return placed;
}

void check_epilogue_apart(const OperandLabel& label, const PlacedOperand& c, const PlacedEpilogue& epilogue) {
  for (const auto& [other, placed] : epilogue)
    check_apart(label, c, other, placed,
                other.operand == OperandName::residual ? "; to add C itself, use beta"
                                                       : "; it would be read after C is written");
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
  std::array<std::optional<PlacedOperand>, 3> placed;
  PlacedEpilogue epilogue;
  const auto& matrices = matrices_of_caller(rules.layout);
  if (!is_empty(problem)) {
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const NamedMatrix& named = matrices[i];
      const auto offsets = operands.offsets.*named.offsets;
      if (batch.by_offsets && rules.new_offsets)
        for (const std::uint64_t offset : offsets)
          check_alignment("an offset of the batch for ", named.label, offset, problem.offset_alignment);
      OperandUse use =
          use_of(problem, named, operands.*named.ref,
                 batch.by_offsets ? BatchOffsets(offsets) : BatchOffsets(batch.count, batch.*named.stride));
      use.written = named.label.operand == OperandName::c;
      use.read = use.written ? rules.reads.c : named.ref == &GemmOperands::a ? rules.reads.a : rules.reads.b;
      if (use.written) use.why_read = ", as beta is not 0";
      if (use.read || use.written) placed[i] = check_matrices(rules.context, rules.layout, use);
    }
    epilogue = check_epilogue(rules, operands);
    if (batch.by_offsets && rules.new_offsets) check_batch_apart(*placed[2]);
    for (std::size_t i = 0; i < 2; ++i)
      if (placed[i])
        check_apart(matrices[2].label, *placed[2], matrices[i].label, *placed[i], "; a product does not work in place");
    check_epilogue_apart(matrices[2].label, *placed[2], epilogue);
  }
  if (operands.workspace.buffer == nullptr) return;
  const PlacedOperand workspace = check_workspace(rules.context, operands.workspace, rules.workspace_bytes);
  for (std::size_t i = 0; i < matrices.size(); ++i)
    if (placed[i]) check_workspace_apart(workspace, matrices[i].label, *placed[i]);
  for (const auto& [label, operand] : epilogue) check_workspace_apart(workspace, label, operand);
}

void check_input(const cl::Context& context, const GemmProblem& problem, Layout layout, const MatrixRef& ref,
                 const NamedMatrix& named) {
  OperandUse use = use_of(problem, named, ref, BatchOffsets(problem.batch.count, problem.batch.*named.stride));
  use.read = true;
  check_matrices(context, layout, use);
}

}  // namespace tilewright::detail
