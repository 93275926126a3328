// One right-hand side: the trsm of a matrix of one column, whose leading dimension is the increment.
#include <optional>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/recent_plans.hpp"
#include "kernels/sizes.hpp"
#include "runtime/engine_state.hpp"
#include "tilewright/vector.hpp"
#include "triangular/problem.hpp"

namespace tilewright {

using namespace detail;

namespace {

constexpr OperandLabel label_a{"A", OperandName::a}, label_x{"x", OperandName::x};

// As a matrix of one column.
StoredMatrix stored_x(const TrsvProblem& p) {
  const auto bits = static_cast<std::uint64_t>(p.incx);
  return {p.n, 1, p.incx < 0 ? 0 - bits : bits};
}

bool is_reversed(const TrsvProblem& p) { return p.incx < 0 && p.n > 1; }

// What a caller may have got wrong of x, in its own words.
void check_vector(const TrsvProblem& p) {
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_x});
  const std::size_t element = element_type(p.type).bytes;
  if (p.incx == 0)
    throw Error(ErrorCode::invalid_increment, OperandName::x,
                "incx is 0, but must be at least 1, or negative for a vector that begins at its far end");
  check_extent(label_x, stored_x(p), Layout::row_major, element);
  check_batch_extent(label_x, stored_x(p), p.batch.stride_x, p.batch.count, element);
  if (const auto x = first_overlap(stored_x(p), p.batch.stride_x, p.batch.count))
    throw Error(ErrorCode::overlapping_operands, OperandName::x,
                "stride_x is " + std::to_string(p.batch.stride_x) + ", so that the first x of the batch and x number " +
                    std::to_string(*x) + " after it share elements");
}

// A column-major A is the row-major one of its transpose. A reversed vector is copied to one without gaps.
TrsmProblem matrix_problem(const TrsvProblem& p) {
  check_vector(p);
  const bool is_turned = p.layout == Layout::column_major;
  const bool is_lower = (p.uplo == Uplo::lower) != is_turned;
  const bool is_transposed = (p.trans != Transpose::no) != is_turned;
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

class TrsvPlan {
 public:
  TrsvPlan(const Engine& engine, const TrsvProblem& problem, const Choice& products)
      : context_(state_of(engine).context()),
        device_(state_of(engine).device()),
        programs_(state_of(engine).programs()),
        problem_(problem),
        system_(trsm_system(matrix_problem(problem), engine.profile())),
        arena_(state_of(engine).shared_part<WorkspaceArena>()),
        plan_(engine, system_.problem, products) {
    if (!is_reversed(problem) || system_.empty()) return;
    copied_bytes_ = rounded_up(bytes_of(problem.batch.count, problem.n, size_of(problem.type)),
                               static_cast<std::int64_t>(workspace_alignment));
    reserve_workspace(*arena_, engine, copied_bytes_ + plan_.workspace_bytes());
  }

  Event enqueue(const Engine& engine, cl_command_queue queue, const MatrixRef& a, const MatrixRef& x,
                std::span<const cl_event> waits) {
    programs_->process().check();
    check_queue(context_, device_, queue, waits);
    if (system_.empty()) return enqueue_marker(queue, waits);
    check(a, x);
    if (copied_bytes_ == 0) return plan_.enqueue(queue, {.a = a, .b = x}, waits);

    CommandChain chain(queue, waits, *arena_, copied_bytes_ + plan_.workspace_bytes());
    const auto& [buffer, offset] = chain.workspace();
    const MatrixRef copied{buffer, offset / size_of(problem_.type)};
    const VectorProblem there{
        .type = problem_.type,
        .n = problem_.n,
        .incx = problem_.incx,
        .batch = {.count = problem_.batch.count, .stride_x = problem_.batch.stride_x, .stride_y = problem_.n}};
    VectorProblem back = there;
    std::swap(back.incx, back.incy);
    std::swap(back.batch.stride_x, back.batch.stride_y);
    chain.add([&](auto after, bool) { return copy(engine, queue, there, x, copied, after); });
    chain.plan(plan_, TrsmOperands{.a = a, .b = copied}, {buffer, offset + copied_bytes_});
    chain.add([&](auto after, bool) { return copy(engine, queue, back, copied, x, after); });
    return chain.finish();
  }

  const OwnProcess& process() const { return programs_->process(); }

 private:
  void check(const MatrixRef& a, const MatrixRef& x) const {
    const TrsmProblem& p = system_.problem;
    const auto use = [&](const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
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
    const PlacedOperand placed_a = use(label_a, system_.stored_a(), p.batch.stride_a, a, false);
    const PlacedOperand placed_x = use(label_x, stored_x(problem_), stride_x, x, true);
    check_apart(label_x, placed_x, label_a, placed_a, "");
  }

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  TrsvProblem problem_;
  TrsmSystem system_;
  std::shared_ptr<WorkspaceArena> arena_;
  TrsmPlan plan_;
  std::uint64_t copied_bytes_ = 0;  // of the workspace, before what the plan takes: reversed vectors; else 0
};

// What the engine keeps, which a driver that is gone must not be asked to release.
class KeptTrsvPlan {
 public:
  KeptTrsvPlan(const Engine& engine, const TrsvProblem& problem, const Choice& products)
      : plan_(translated([&] { return std::make_unique<TrsvPlan>(engine, problem, products); })) {}
  ~KeptTrsvPlan() { DriverDelete{plan_->process()}(plan_.release()); }
  KeptTrsvPlan(const KeptTrsvPlan&) = delete;
  KeptTrsvPlan& operator=(const KeptTrsvPlan&) = delete;

  TrsvPlan& plan() const { return *plan_; }

 private:
  std::unique_ptr<TrsvPlan> plan_;
};

}  // namespace

Event trsv(const Engine& engine, cl_command_queue queue, const TrsvProblem& problem, MatrixRef a, MatrixRef x,
           std::span<const cl_event> waits, const Choice& products) {
  TrsvProblem aligned = problem;
  aligned.offset_alignment = aligned_as_promised(problem.offset_alignment, a.offset | x.offset);
  const auto kept =
      state_of(engine).part<RecentPlans<KeptTrsvPlan, TrsvProblem, Choice>>().get(engine, aligned, products);
  return translated([&] { return kept->plan().enqueue(engine, queue, a, x, waits); });
}

}  // namespace tilewright
