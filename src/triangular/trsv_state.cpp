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
#include "runtime/engine_state.hpp"

namespace tilewright {

using namespace detail;

namespace {

constexpr OperandLabel trsv_label_a{"A", OperandName::a}, trsv_label_x{"x", OperandName::x};

// Returns x as a matrix with one column.
StoredMatrix stored_x(const TrsvProblem& p) {
  const auto bits = static_cast<std::uint64_t>(p.incx);
  return {p.n, 1, p.incx < 0 ? 0 - bits : bits};
}

bool is_reversed(const TrsvProblem& p) { return p.incx < 0 && p.n > 1; }

// Checks the fields that concern x, so that messages use the names of TrsvProblem.
void check_vector(const TrsvProblem& p) {
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x});
  const std::size_t element = element_type(p.type).bytes;
  if (p.incx == 0)
    throw Error(ErrorCode::invalid_increment, OperandName::x,
                "incx is 0; use 1 for consecutive elements, or a negative number for a reversed vector");
  check_extent(trsv_label_x, stored_x(p), Layout::row_major, element);
  check_batch_extent(trsv_label_x, stored_x(p), p.batch.stride_x, p.batch.count, element);
  if (const auto x = first_overlap(stored_x(p), p.batch.stride_x, p.batch.count))
    throw Error(ErrorCode::overlapping_operands, OperandName::x,
                "stride_x is " + std::to_string(p.batch.stride_x) + ", but then x number 0 and x number " +
                    std::to_string(*x) + " of the batch share elements; use a larger stride");
}

// Returns the problem of the trsm. A column-major A is the transpose of a row-major one. A reversed x is copied to a
// vector without gaps.
TrsmProblem matrix_problem(const TrsvProblem& p) {
  check_vector(p);
  const bool is_column_major = p.layout == Layout::column_major;
  const bool is_lower = (p.uplo == Uplo::lower) != is_column_major;
  const bool is_transposed = (p.trans != Transpose::no) != is_column_major;
  TrsmProblem result{.type = p.type,
                     .uplo = is_lower ? Uplo::lower : Uplo::upper,
                     .trans = is_transposed ? Transpose::yes : Transpose::no,
                     .diag = p.diag,
                     .m = p.n,
                     .n = 1,
                     .lda = p.lda,
                     .ldb = is_reversed(p) ? 1 : stored_x(p).ld,
                     .offset_alignment = p.offset_alignment,
                     .batch = {.count = p.batch.count, .stride_a = p.batch.stride_a, .stride_b = p.batch.stride_x}};
  if (is_reversed(p)) {
    result.batch.stride_b = p.n;
    result.offset_alignment = alignment_of_parts(p.offset_alignment, {});
  }
  return result;
}

}  // namespace

TrsvPlan::State::State(const Engine& engine, const TrsvProblem& problem, const Choice& choice)
    : context_(state_of(engine).context()),
      device_(state_of(engine).device()),
      programs_(state_of(engine).programs()),
      arena_(state_of(engine).shared_part<WorkspaceArena>()),
      problem_(problem),
      system_(trsm_system(matrix_problem(problem), engine.profile())),
      plan_(engine, system_.problem, choice),
      explanation_{.reason = "the trsm of one column",
                   .problem = problem_text("trsv", to_string(problem.type), {problem.n})} {
  add_part(explanation_, plan_.explanation());
  if (!is_reversed(problem) || system_.empty()) return;
  explanation_.reason += "; reversed vectors are copied before and after it";
  copy_bytes_ = rounded_up(bytes_of(problem.batch.count, problem.n, size_of(problem.type)),
                           static_cast<std::int64_t>(workspace_alignment));
  reserve_workspace(*arena_, engine, workspace_bytes());
  copy_in_ = copy_sequence(engine, true);
  copy_out_ = copy_sequence(engine, false);
}

// Returns the launch that copies x to the workspace, in reverse order, or back.
std::unique_ptr<LaunchSequence> TrsvPlan::State::copy_sequence(const Engine& engine, bool to_workspace) const {
  using namespace argument;
  const DeviceProfile& device = engine.profile();
  const std::uint64_t n = problem_.n, count = problem_.batch.count;
  const std::size_t items =
      std::min<std::size_t>(64, std::min(device.max_work_group_size, device.max_work_item_sizes[0]));
  const auto x_step = static_cast<std::uint64_t>(problem_.incx);  // signed in the kernel
  const std::uint64_t x_stride = count == 1 ? 0 : problem_.batch.stride_x;
  Launch launch{.kernel = "vector_copy",
                .arguments = {offset(n), a, offset(x_step), offset(x_stride), b, offset(1), offset(n)},
                .global = {ceil_div(n, static_cast<std::int64_t>(items)) * items, 1},
                .local = {items, 1}};
  if (!to_workspace) launch.arguments = {offset(n), a, offset(1), offset(n), b, offset(x_step), offset(x_stride)};
  const KernelSource source{
      "trsv",
      {"gemv/vector_copy.cl"},
      "-cl-std=CL1.2 -DELEMENT_BYTES=" + std::to_string(size_of(problem_.type)) + " -DWG=" + std::to_string(items)};
  auto sequence = std::make_unique<LaunchSequence>(state_of(engine), arena_);
  if (!sequence->compile(state_of(engine), source, in_grids({std::move(launch)}, count, device.max_work_groups)))
    throw Error(ErrorCode::invalid_configuration,
                "the kernels of trsv need more registers per work-group than the device has; use another device");
  sequence->fix({.batch_count = count});
  return sequence;
}

Event TrsvPlan::State::enqueue(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits) {
  process().check();
  check_queue(context_, device_, queue, waits);
  if (system_.empty()) return enqueue_marker(queue, waits);
  check(operands);
  if (copy_in_) return enqueue_reversed(queue, operands, waits);
  return plan_.enqueue(
      queue, {.a = operands.a, .b = operands.x, .workspace = operands.workspace, .event = operands.event}, waits);
}

Event TrsvPlan::State::enqueue_reversed(cl_command_queue queue, const TrsvOperands& operands,
                                        std::span<const cl_event> waits) {
  const std::lock_guard lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes(), operands.workspace);
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef copy{buffer, offset / size_of(problem_.type)};
  const MatrixRef first{operands.x.buffer, operands.x.offset + (problem_.n - 1) * stored_x(problem_).ld};
  chain.run(*copy_in_, {.matrices = {first, copy}});
  chain.plan(plan_, TrsmOperands{.a = operands.a, .b = copy}, {buffer, offset + copy_bytes_});
  chain.run(*copy_out_, {.matrices = {copy, first}}, operands.event);
  if (!std::exchange(was_enqueued_, true)) programs_->enqueued(copy_in_->program());
  return chain.finish();
}

void TrsvPlan::State::check(const TrsvOperands& operands) const {
  const TrsmProblem& p = system_.problem;
  const auto placed = [&](const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                          const MatrixRef& ref, bool written) {
    return check_matrices(context_, problem_.layout,
                          {.label = label,
                           .matrix = matrix,
                           .places = BatchOffsets(p.batch.count, stride),
                           .ref = ref,
                           .element = size_of(p.type),
                           .offset_alignment = problem_.offset_alignment,
                           .batched = p.batch.count != 1,
                           .read = true,
                           .written = written});
  };
  const std::uint64_t stride_x = p.batch.count == 1 ? 0 : problem_.batch.stride_x;
  const PlacedOperand placed_a = placed(trsv_label_a, system_.stored_a(), p.batch.stride_a, operands.a, false);
  const PlacedOperand placed_x = placed(trsv_label_x, stored_x(problem_), stride_x, operands.x, true);
  check_apart(trsv_label_x, placed_x, trsv_label_a, placed_a, "; x overwrites b, so A needs memory of its own");
  if (operands.workspace.buffer == nullptr) return;
  const PlacedOperand workspace = check_workspace(context_, operands.workspace, workspace_bytes());
  check_workspace_apart(workspace, trsv_label_a, placed_a);
  check_workspace_apart(workspace, trsv_label_x, placed_x);
}

}  // namespace tilewright
