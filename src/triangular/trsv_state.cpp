#include "triangular/trsv_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"
#include "kernels/vector_copy.hpp"

namespace tilewright {

using namespace detail;

namespace {

constexpr OperandLabel trsv_label_a{"A", OperandName::a}, trsv_label_x{"x", OperandName::x};

// Returns x as a matrix with one column.
StoredMatrix stored_x(const TrsvProblem& p) {
  const auto bits = static_cast<std::uint64_t>(p.incx);
  return {p.n, 1, p.incx < 0 ? 0 - bits : bits};
}

// Whether op(A) is the conjugate of a row-major matrix. The trsm then has a column-major A and B, so x has no gaps.
bool is_conjugate(const TrsvProblem& p) {
  return is_complex(p.type) && p.layout == Layout::column_major && p.trans == Transpose::conjugate_transpose;
}

// Whether x is copied to a vector without gaps: it is stored in reverse order, or must not have gaps.
bool is_copied(const TrsvProblem& p) { return p.n > 1 && (p.incx < 0 || (p.incx != 1 && is_conjugate(p))); }

// Checks the fields that concern x, so that messages use the names of TrsvProblem.
void check_vector(const TrsvProblem& p) {
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x});
  const std::size_t element = element_type(p.type).bytes;
  if (p.incx == 0)
    throw Error(ErrorCode::invalid_increment, OperandName::x,
                "incx is 0; use 1 for consecutive elements, or a negative number for a reversed vector");
  check_extent(trsv_label_x, stored_x(p), Layout::row_major, element);
  check_batch_extent(trsv_label_x, stored_x(p), p.batch.stride_x, p.batch.count, element);
  check_batch_apart(trsv_label_x, stored_x(p), p.batch.stride_x, p.batch.count);
}

// Returns op() of the trsm. A column-major A is the transpose of a row-major one, unless op(A) is its conjugate.
Transpose trans_of(const TrsvProblem& p) {
  if (p.layout == Layout::row_major || is_conjugate(p)) return p.trans;
  return p.trans == Transpose::no ? Transpose::yes : Transpose::no;
}

// Returns the problem of the trsm.
TrsmProblem matrix_problem(const TrsvProblem& p) {
  check_vector(p);
  const bool is_column_major = p.layout == Layout::column_major && !is_conjugate(p);
  const bool is_lower = (p.uplo == Uplo::lower) != is_column_major;
  TrsmProblem result{.type = p.type,
                     .layout = is_conjugate(p) ? Layout::column_major : Layout::row_major,
                     .uplo = is_lower ? Uplo::lower : Uplo::upper,
                     .trans = trans_of(p),
                     .diag = p.diag,
                     .m = p.n,
                     .n = 1,
                     .lda = p.lda,
                     .ldb = is_copied(p) || is_conjugate(p) ? 0 : stored_x(p).ld,
                     .offset_alignment = p.offset_alignment,
                     .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a, .stride_b = p.batch.stride_x}};
  if (is_copied(p)) {
    result.batch.stride_b = p.n;
    result.offset_alignment = alignment_of_parts(p.offset_alignment, {});
  }
  return result;
}

}  // namespace

TrsvPlan::State::State(const Engine& engine, const TrsvProblem& problem, const Choice& choice)
    : PlanState(engine, problem),
      system_(trsm_system(matrix_problem(problem), engine.profile())),
      plan_(engine, system_.problem, choice) {
  explanation_ = {.reason = "the trsm of one column",
                  .problem = problem_text("trsv", to_string(problem.type), {problem.n})};
  workspace_bytes_ = plan_.workspace_bytes();
  add_part(explanation_, plan_.explanation());
  if (!is_copied(problem) || system_.empty()) return;
  explanation_.reason +=
      std::string("; ") + (problem.incx < 0 ? "reversed" : "strided") + " vectors are copied before and after it";
  copy_bytes_ = rounded_up(bytes_of(problem.batch.count, problem.n, size_of(problem.type)),
                           static_cast<std::int64_t>(workspace_alignment));
  reserve_workspace(engine, copy_bytes_ + plan_.workspace_bytes());
  const std::uint64_t count = problem.batch.count;
  const VectorSteps x{static_cast<std::uint64_t>(problem.incx), count == 1 ? 0 : problem.batch.stride_x};
  const VectorSteps copy{1, problem.n};
  copy_in_.emplace(vector_copy(engine, size_of(problem.type), problem.n, count, x, copy));
  copy_out_.emplace(vector_copy(engine, size_of(problem.type), problem.n, count, copy, x));
}

Event TrsvPlan::State::enqueue(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  if (system_.empty()) return enqueue_marker(queue, waits);
  check(operands);
  if (copy_in_) return enqueue_copied(queue, operands, waits);
  return plan_.enqueue(
      queue, {.a = operands.a, .b = operands.x, .workspace = operands.workspace, .event = operands.event}, waits);
}

Event TrsvPlan::State::enqueue_copied(cl_command_queue queue, const TrsvOperands& operands,
                                      std::span<const cl_event> waits) {
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef copy{buffer, offset / size_of(asked_.type)};
  const std::uint64_t before = asked_.incx < 0 ? (asked_.n - 1) * stored_x(asked_).ld : 0;
  const MatrixRef first{operands.x.buffer, operands.x.offset + before};
  copy_in_->run(chain, {.matrices = {first, copy}});
  chain.plan(plan_, TrsmOperands{.a = operands.a, .b = copy}, {buffer, offset + copy_bytes_});
  copy_out_->run(chain, {.matrices = {copy, first}}, operands.event);
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, copy_in_->program());
  return last;
}

void TrsvPlan::State::check(const TrsvOperands& operands) const {
  const TrsmProblem& p = system_.problem;
  OperandCheck check(context_);
  const auto add = [&](const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                       const MatrixRef& ref, bool written) {
    check.add({.label = label,
               .layout = asked_.layout,
               .matrix = matrix,
               .places = BatchOffsets(p.batch.count, stride),
               .ref = ref,
               .element = size_of(p.type),
               .offset_alignment = asked_.offset_alignment,
               .batched = p.batch.count != 1,
               .read = true,
               .written = written,
               .overlap_hint = written ? "; x overwrites b, so A needs memory of its own" : ""});
  };
  const std::uint64_t stride_x = p.batch.count == 1 ? 0 : asked_.batch.stride_x;
  add(trsv_label_a, system_.stored_a(), p.batch.stride_a, operands.a, false);
  add(trsv_label_x, stored_x(asked_), stride_x, operands.x, true);
  check.finish(operands.workspace, workspace_bytes_);
}

}  // namespace tilewright
