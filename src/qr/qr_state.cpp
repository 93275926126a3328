#include "qr/qr_state.hpp"

#include <algorithm>

#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/sizes.hpp"
#include "qr/qr_checks.hpp"

namespace tilewright::detail {
namespace {

// Returns A. Products share one A if all strides are 0.
QrMatrix matrix_of(const QrProblem& p) {
  const bool is_shared = p.task == QrTask::ormqr && p.batch.stride_a == 0 && p.batch.stride_tau == 0;
  return {.type = p.type,
          .layout = p.layout,
          .rows = p.rows_of_a(),
          .columns = p.columns_of_a(),
          .ld = p.lda,
          .stride = p.batch.stride_a,
          .batch_count = is_shared ? 1 : p.batch.count,
          .offset_alignment = p.offset_alignment};
}

}  // namespace

QrState::QrState(const Engine& engine, const QrProblem& problem, const Choice& choice)
    : PlanBase(engine), problem_(completed(problem, engine.profile())) {
  check_problem(problem_);
  if (!is_empty(problem_)) plan_steps(engine, choice);
  explain();
  if (explanation_.parts.empty()) check_choice(engine, problem_.type, choice);
  reserve_workspace(engine, workspace_bytes_);
}

void QrState::plan_steps(const Engine& engine, const Choice& choice) {
  const QrProblem& p = problem_;
  const QrMatrix a = matrix_of(p);
  const bool is_wide = p.task == QrTask::gels && p.m < p.n;
  kernels_.emplace(
      engine, p.type,
      qr_shape(engine.profile(), p.type, is_wide ? a.columns : a.rows, is_wide ? a.rows : a.columns, p.batch.count));
  const QrShape& shape = kernels_->shape();
  if (p.task == QrTask::gels) return plan_system(engine, choice);
  if (p.task == QrTask::geqrf) {
    factorisation_.emplace(engine, a, shape, *kernels_, choice);
    workspace_bytes_ = factorisation_->workspace_bytes();
  } else if (p.task == QrTask::ormqr) {
    const bool is_left = p.side == Side::left;
    application_.emplace(engine, a, p.k, p.side, p.trans != Transpose::no,
                         qr_view({}, p.layout, p.ldc, p.batch.stride_c), is_left ? p.n : p.m, p.batch.count, shape,
                         choice);
    workspace_bytes_ = application_->workspace_bytes();
  } else {
    generation_.emplace(engine, a, p.k, shape, choice);
    workspace_bytes_ = generation_->workspace_bytes();
  }
}

// The workspace: tau, the copy of A^H if there is one, and a part that the steps share.
void QrState::plan_system(const Engine& engine, const Choice& choice) {
  const QrProblem& p = problem_;
  const bool is_wide = p.m < p.n;
  is_overdetermined_ = is_wide == (p.trans != Transpose::no);
  factored_ = matrix_of(p);
  if (p.k == 0 || p.nrhs == 0) return;
  const std::size_t element = size_of(p.type);
  tau_bytes_ = added_bytes(0, bytes_of(p.batch.count, p.k, element));
  if (is_wide) {
    factored_.rows = p.n;
    factored_.columns = p.m;
    factored_.ld = aligned_ld(p.layout == Layout::row_major ? p.m : p.n);
    factored_.stride = factored_.ld * (p.layout == Layout::row_major ? p.n : p.m);
    factored_.offset_alignment = largest_offset_alignment;
    copy_bytes_ = added_bytes(0, bytes_of(p.batch.count, factored_.stride, element));
  }
  const QrShape& shape = kernels_->shape();
  factorisation_.emplace(engine, factored_, shape, *kernels_, choice);
  // Both operands must satisfy the alignment that the products with Q are promised.
  QrMatrix reflectors = factored_;
  reflectors.offset_alignment = p.offset_alignment;
  application_.emplace(engine, reflectors, p.k, Side::left, is_overdetermined_,
                       qr_view({}, p.layout, p.ldc, p.batch.stride_b), p.nrhs, p.batch.count, shape, choice);
  triangle_.emplace(
      engine,
      TrsmProblem{.type = p.type,
                  .layout = p.layout,
                  .uplo = Uplo::upper,
                  .trans = is_overdetermined_ ? Transpose::no : Transpose::conjugate_transpose,
                  .m = p.k,
                  .n = p.nrhs,
                  .lda = factored_.ld,
                  .ldb = p.ldc,
                  .offset_alignment = alignment_of_parts(p.offset_alignment, {0}),
                  .batch = {.count = p.batch.count, .stride_a = factored_.stride, .stride_b = p.batch.stride_b}},
      choice);
  const std::uint64_t shared =
      std::max({factorisation_->workspace_bytes(), application_->workspace_bytes(), triangle_->workspace_bytes()});
  workspace_bytes_ = added_bytes(added_bytes(tau_bytes_, copy_bytes_), shared);
}

void QrState::explain() {
  explanation_.problem = problem_text(problem_);
  if (!kernels_) return add_reason(explanation_, "the problem is empty, so that no kernel runs");
  if (problem_.task == QrTask::gels && !factorisation_)
    return add_reason(explanation_, "A or B is empty, so that B becomes 0");
  if (copy_bytes_ > 0) add_reason(explanation_, "A^H is factored, because A has fewer rows than columns");
  if (factorisation_) factorisation_->explain(explanation_);
  if (application_) application_->explain(explanation_);
  if (generation_) generation_->explain(explanation_);
  if (triangle_) add_part(explanation_, triangle_->explanation());
}

Event QrState::enqueue(cl_command_queue queue, const QrOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  if (problem_.batch.count != 0) check_operands(context_, problem_, operands, workspace_bytes_);
  if (!kernels_) return enqueue_marker(queue, waits);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  enqueue_steps(chain, operands);
  Event last = chain.finish(operands.event);
  note_enqueued(lock, was_enqueued_, kernels_->program());
  return last;
}

void QrState::enqueue_steps(CommandChain& chain, const QrOperands& operands) const {
  const QrProblem& p = problem_;
  const QrView a = qr_view(operands.a, p.layout, p.lda, p.batch.stride_a);
  const QrVector tau{operands.tau, p.batch.stride_tau};
  if (p.task == QrTask::gels) return enqueue_system(chain, operands);
  if (factorisation_) factorisation_->enqueue(chain, *kernels_, a, tau, chain.workspace());
  if (application_)
    application_->enqueue(chain, *kernels_, a, tau, qr_view(operands.c, p.layout, p.ldc, p.batch.stride_c),
                          chain.workspace());
  if (generation_) generation_->enqueue(chain, *kernels_, a, tau, chain.workspace());
}

void QrState::enqueue_system(CommandChain& chain, const QrOperands& operands) const {
  const QrProblem& p = problem_;
  const std::uint64_t rows = std::max(p.m, p.n), count = p.batch.count;
  const QrView b = qr_view(operands.c, p.layout, p.ldc, p.batch.stride_b);
  const QrVector info{operands.info, p.batch.stride_info};
  QrView a = qr_view(operands.a, p.layout, p.lda, p.batch.stride_a);
  if (!factorisation_) {
    kernels_->identity(chain, rows, p.nrhs, rows, b, count);
    // A diagonal of order 0 has no zero, so info becomes 0. No element of the matrix is read: any buffer will do.
    return kernels_->zero_on_diagonal(chain, 0, qr_view(operands.info, p.layout, 1, 0), info, count);
  }
  const std::size_t element = size_of(p.type);
  const WorkspaceRef& workspace = chain.workspace();
  const QrVector tau{{workspace.buffer, workspace.offset / element}, p.k};
  const WorkspaceRef shared = after(workspace, tau_bytes_ + copy_bytes_);
  if (copy_bytes_ > 0) {
    const QrView copy = qr_view({workspace.buffer, (workspace.offset + tau_bytes_) / element}, p.layout, factored_.ld,
                                factored_.stride);
    kernels_->adjoint(chain, factored_.rows, factored_.columns, copy, a, count);
    a = copy;
  }
  factorisation_->enqueue(chain, *kernels_, a, tau, shared);
  kernels_->zero_on_diagonal(chain, p.k, a, info, count);
  const auto solve = [&] { chain.plan(*triangle_, TrsmOperands{.a = a.at, .b = b.at}, shared); };
  const auto multiply = [&] { application_->enqueue(chain, *kernels_, a, tau, b, shared); };
  if (is_overdetermined_) {
    multiply();
    solve();
  } else {
    solve();
    kernels_->identity(chain, rows - p.k, p.nrhs, rows, b.from(p.k, 0), count);
    multiply();
  }
}

}  // namespace tilewright::detail
