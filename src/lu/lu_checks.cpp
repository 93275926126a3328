#include "lu/lu_checks.hpp"

#include <algorithm>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "lu/lu_shape.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandLabel label_a{"A", OperandName::a};
constexpr OperandLabel label_b{"B", OperandName::b};
constexpr std::uint64_t max_refinements = 30;

// Throws Error(unsupported_type, invalid_configuration, invalid_batch).
void check_refinements(const LuProblem& p) {
  if (p.refinements == 0) return;
  const std::string refinements = "refinements is " + std::to_string(p.refinements);
  if (p.type != DataType::f64 && p.type != DataType::c128)
    throw Error(ErrorCode::unsupported_type, refinements + ", but the type is " + std::string(to_string(p.type)) +
                                                 "; only f64 and c128 can be refined, so set refinements to 0");
  if (p.refinements > max_refinements)
    throw Error(ErrorCode::invalid_configuration,
                refinements + ", but the maximum is " + std::to_string(max_refinements) +
                    "; matrices that need more are solved by gesv without refinements");
  if (p.batch.count > 1)
    throw Error(ErrorCode::invalid_batch, refinements + ", but the batch has " + std::to_string(p.batch.count) +
                                              " systems; only a single system can be refined");
}

}  // namespace

LuUse use_of(LuTask task) {
  return {.factors = task == LuTask::getrf || task == LuTask::gesv,
          .solves = task == LuTask::getrs || task == LuTask::gesv,
          .inverts = task == LuTask::getri,
          .determines = task == LuTask::det};
}

LuProblem completed(const LuProblem& problem, const DeviceProfile& device) {
  LuProblem p = problem;
  const LuUse use = use_of(p.task);
  check_lapack_type(p.type, device, (std::string(to_string(p.task)) + " needs").c_str());
  if (!is_complex(p.type) && p.trans == Transpose::conjugate_transpose) p.trans = Transpose::yes;
  check_refinements(p);
  const bool takes_b = use.solves || use.inverts;
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_pivots, takes_b ? &Batch::stride_b : &Batch::stride_a,
                          use.factors ? &Batch::stride_info : &Batch::stride_a,
                          use.determines ? &Batch::stride_determinant : &Batch::stride_a});
  const bool by_rows = p.layout == Layout::row_major;
  p.lda = completed_ld(label_a, by_rows ? p.n : p.m, p.lda);
  if (takes_b) p.ldb = completed_ld(label_b, by_rows ? p.nrhs : p.n, p.ldb);
  check_offset_alignment(p.offset_alignment);
  const bool is_shared = p.batch.stride_a == 0 && !use.factors;
  if (p.batch.stride_pivots == 0 && !is_shared) p.batch.stride_pivots = std::min(p.m, p.n);
  if (p.batch.stride_info == 0) p.batch.stride_info = 1;
  if (p.batch.stride_determinant == 0) p.batch.stride_determinant = 2;
  return p;
}

std::vector<LuOperand> operands_of(const LuProblem& p) {
  const LuUse use = use_of(p.task);
  const std::size_t element = size_of(p.type);
  std::vector<LuOperand> all{{.label = label_a,
                              .ref = &LuOperands::a,
                              .matrix = stored(p.layout, p.m, p.n, p.lda),
                              .stride = p.batch.stride_a,
                              .element = element,
                              .is_matrix = true,
                              .read = true,
                              .written = use.factors && p.refinements == 0},
                             {.label = {"pivots", OperandName::pivots},
                              .ref = &LuOperands::pivots,
                              .matrix = row_of(std::min(p.m, p.n)),
                              .stride = p.batch.stride_pivots,
                              .element = integer_bytes,
                              .read = true,
                              .written = use.factors}};
  if (use.factors)
    all.push_back({.label = {"info", OperandName::info},
                   .ref = &LuOperands::info,
                   .matrix = row_of(1),
                   .stride = p.batch.stride_info,
                   .element = integer_bytes,
                   .read = true,
                   .written = true});
  if (use.solves || use.inverts)
    all.push_back({.label = label_b,
                   .ref = &LuOperands::b,
                   .matrix = stored(p.layout, p.n, p.nrhs, p.ldb),
                   .stride = p.batch.stride_b,
                   .element = element,
                   .is_matrix = true,
                   .read = true,
                   .written = true});
  if (p.refinements != 0)
    all.push_back({.label = {"iterations", OperandName::iterations},
                   .ref = &LuOperands::iterations,
                   .matrix = row_of(1),
                   .stride = 1,
                   .element = integer_bytes,
                   .read = true,
                   .written = true});
  if (use.determines)
    all.push_back({.label = {"determinant", OperandName::determinant},
                   .ref = &LuOperands::determinant,
                   .matrix = row_of(2),
                   .stride = p.batch.stride_determinant,
                   .element = element,
                   .written = true});
  return all;
}

void check_problem(const LuProblem& p) { check_task(p, operands_of(p)); }

void check_operands(const cl::Context& context, const LuProblem& p, const LuOperands& operands,
                    std::uint64_t workspace_bytes) {
  check_task_operands(context, p, operands_of(p), operands, workspace_bytes);
}

bool is_empty(const LuProblem& p) {
  if (p.batch.count == 0) return true;
  const LuUse use = use_of(p.task);
  // An empty matrix has an info, 0, and a determinant, 1.
  return !use.factors && !use.determines && (p.n == 0 || p.nrhs == 0);
}

}  // namespace tilewright::detail
