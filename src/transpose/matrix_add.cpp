#include "tilewright/matrix_add.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/plans/plan.hpp"
#include "kernels/plans/plan_state.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/error.hpp"

namespace tilewright {

using namespace detail;

namespace {

constexpr OperandLabel labels[] = {{"A", OperandName::a}, {"B", OperandName::b}, {"C", OperandName::c}};

// A, B and C as stored by a normalized problem.
std::array<StoredMatrix, 3> stored(const MatrixAddProblem& p) {
  const auto input = [&](Transpose trans, std::uint64_t ld) {
    return trans == Transpose::no ? StoredMatrix{p.m, p.n, ld} : StoredMatrix{p.n, p.m, ld};
  };
  return {input(p.trans_a, p.lda), input(p.trans_b, p.ldb), input(Transpose::no, p.ldc)};
}

std::array<std::uint64_t, 3> strides(const MatrixAddProblem& p) {
  return {p.batch.stride_a, p.batch.stride_b, p.batch.stride_c};
}

// Returns the row-major form with leading dimensions filled in. A column-major matrix is stored like its row-major
// transpose.
MatrixAddProblem normalized(const MatrixAddProblem& problem) {
  MatrixAddProblem p = problem;
  const std::size_t element = element_type(p.type).bytes;
  if (is_complex(p.type))
    throw Error(ErrorCode::unsupported_type,
                std::string("matrix_add has no ") + std::string(to_string(p.type)) + "; add them as " +
                    std::string(to_string(part_of(p.type))) +
                    " matrices with twice as many columns (rows if column-major), if alpha and beta are real");
  for (Transpose* const trans : {&p.trans_a, &p.trans_b})
    if (*trans == Transpose::conjugate_transpose) *trans = Transpose::yes;
  if (p.layout == Layout::column_major) std::swap(p.m, p.n);
  p.layout = Layout::row_major;
  std::uint64_t* const lds[] = {&p.lda, &p.ldb, &p.ldc};
  for (std::size_t i = 0; i < 3; ++i) *lds[i] = completed_ld(labels[i], stored(p)[i].columns, *lds[i]);
  for (std::size_t i = 0; i < 3; ++i) check_extent(labels[i], stored(p)[i], problem.layout, element);
  check_strides(p.batch, {&Batch::stride_a, &Batch::stride_b, &Batch::stride_c});
  if (p.batch.count <= 1) p.batch = {.count = p.batch.count};
  for (std::size_t i = 0; i < 3; ++i)
    check_batch_extent(labels[i], stored(p)[i], strides(p)[i], p.batch.count, element);
  check_batch_apart(labels[2], stored(p)[2], p.batch.stride_c, p.batch.count);
  return p;
}

// Whether element (i, j) of op(A) or op(B) has the same distance from the first element as in C, in every sum.
bool may_be_in_place(const MatrixAddProblem& p, std::size_t input) {
  const Transpose trans = input == 0 ? p.trans_a : p.trans_b;
  const StoredMatrix from = stored(p)[input], c = stored(p)[2];
  return trans == Transpose::no && (from.rows <= 1 || from.ld == c.ld) && strides(p)[input] == p.batch.stride_c;
}

// Whether an input that may be in place is C itself.
bool coincide(const PlacedOperand& input, const PlacedOperand& c) {
  return input.root == c.root && input.matrices.begin == c.matrices.begin;
}

bool needs_64_bit_indices(const MatrixAddProblem& p) {
  return detail::needs_64_bit_indices({stored(p)[0], stored(p)[1], stored(p)[2]});
}

struct Group {
  std::int64_t tile, wg;
};

// The tile, of which local memory holds two, and the work-group, which is one work-item on CPUs.
Group group_for(const MatrixAddProblem& p, const DeviceProfile& d) {
  const auto fits = [&](const Group& group) {
    return static_cast<std::size_t>(group.wg) <= std::min(d.max_work_group_size, d.max_work_item_sizes[0]) &&
           2 * static_cast<std::size_t>(group.tile * (group.tile + 1)) * size_of(p.type) <= d.local_memory_bytes;
  };
  if (d.type != DeviceType::cpu)
    for (const Group& group : {Group{32, 256}, Group{16, 64}})
      if (fits(group)) return group;
  return {16, 1};
}

KernelSource source_of(const MatrixAddProblem& p, const Group& group, const DeviceProfile& device) {
  return {"matrix_add",
          {"common/index.cl", "common/bfloat16.cl", "transpose/elements.cl", "transpose/matrix_add.cl"},
          language_option() + define("ELEMENT_BYTES", size_of(p.type)) + define("NUMBER", 1) + element_options(p.type) +
              define("INDEX_BITS", needs_64_bit_indices(p) ? 64 : 32) + define("TRANS_A", p.trans_a == Transpose::yes) +
              define("TRANS_B", p.trans_b == Transpose::yes) + define("TILE", group.tile) + define("WG", group.wg) +
              define_if(device.aligned_buffers, "ALIGNED_BUFFERS") + define_if(p.batch.count != 1, "BATCH") +
              define_if(may_be_in_place(p, 0) || may_be_in_place(p, 1), "IN_PLACE")};
}

Launch launch_of(const MatrixAddProblem& p, const Group& group) {
  using namespace argument;
  constexpr KernelArgument alpha = scalar(0), beta = scalar(1), a = matrix(0), b = matrix(1), c = matrix(2);
  const auto items = static_cast<std::size_t>(group.wg);
  return {.kernel = "matrix_add",
          .arguments = {index(p.m), index(p.n), alpha, a, index(p.lda), beta, b, index(p.ldb), c, index(p.ldc), batch},
          .global = {ceil_div(p.n, group.tile) * items, ceil_div(p.m, group.tile)},
          .local = {items, 1}};
}

}  // namespace

class MatrixAddPlan::State : public PlanState<MatrixAddProblem> {
 public:
  State(const Engine& engine, const MatrixAddProblem& problem)
      : PlanState(engine, problem), problem_(normalized(problem)), sequence_(engine) {
    const DeviceProfile& device = engine.profile();
    check_support(problem_.type, device);
    if (is_integer(problem_.type))
      throw Error(ErrorCode::unsupported_type,
                  "matrix_add has no " + std::string(to_string(problem_.type)) + "; use f32, f64, f16 or bf16");
    const Group group = group_for(problem_, device);
    explanation_ = {
        .variant = "matrix_add",
        .configuration = {{"tile", group.tile}, {"wg", group.wg}},
        .reason = "the only variant",
        .candidates = {},
        .problem = problem_text("matrix_add", to_string(asked_.type), {asked_.m, asked_.n}, asked_.batch.count),
        .parts = {}};
    if (is_empty()) return;
    const bool batched = problem_.batch.count != 1;
    FixedValues fixed{.scalar_type = accumulator_of(problem_.type),
                      .wide_index = needs_64_bit_indices(problem_),
                      .batch_count = problem_.batch.count};
    if (batched) fixed.batch_strides = {problem_.batch.stride_a, problem_.batch.stride_b, problem_.batch.stride_c};
    sequence_.build(engine, source_of(problem_, group, device),
                    in_grids({launch_of(problem_, group)}, batched ? problem_.batch.count : 0, device.max_work_groups),
                    fixed);
  }

  Event enqueue(cl_command_queue queue, const MatrixAddOperands& operands, std::span<const cl_event> waits) {
    check_call(queue, waits);
    const std::array scalars{real_scalar(problem_.type, "alpha", operands.alpha),
                             real_scalar(problem_.type, "beta", operands.beta)};
    const std::array<bool, 2> reads_c = check_operands(operands, scalars);
    if (is_empty()) return enqueue_marker(queue, waits);
    std::unique_lock lock(mutex_);
    SequenceCall call = sequence_call(operands, waits);
    call.values.scalars = {scalars[0], scalars[1]};
    // C replaces an input that is not read, because kernels take no null buffer. It also replaces an input that is C,
    // because a kernel must not use a buffer and a sub-buffer of it at once.
    call.values.matrices = {reads_c[0] ? operands.c : operands.a, reads_c[1] ? operands.c : operands.b, operands.c};
    Event event = sequence_.enqueue(queue, call);
    note_enqueued(lock, was_enqueued_, sequence_.program());
    return event;
  }

 private:
  bool is_empty() const { return problem_.m == 0 || problem_.n == 0 || problem_.batch.count == 0; }

  // Checks the operands, and returns for A and B whether kernels get C instead: if it is not read, or is C itself.
  std::array<bool, 2> check_operands(const MatrixAddOperands& operands, const std::array<double, 2>& scalars) const {
    OperandCheck check(context_);
    std::array<const PlacedOperand*, 3> placed{};
    const MatrixRef refs[] = {operands.a, operands.b, operands.c};
    for (std::size_t i = 0; i < 3 && !is_empty(); ++i)
      placed[i] = check.add({.label = labels[i],
                             .layout = asked_.layout,
                             .matrix = stored(problem_)[i],
                             .places = BatchOffsets(problem_.batch.count, strides(problem_)[i]),
                             .ref = refs[i],
                             .element = size_of(problem_.type),
                             .batched = problem_.batch.count != 1,
                             .read = i < 2 && scalars[i] != 0,
                             .written = i == 2});
    std::array<bool, 2> is_c{};
    for (std::size_t i = 0; i < 2 && placed[2] != nullptr; ++i) {
      is_c[i] = placed[i] == nullptr || (may_be_in_place(problem_, i) && coincide(*placed[i], *placed[2]));
      if (!is_c[i])
        check_apart(
            labels[2], *placed[2], labels[i], *placed[i],
            "; C may only replace an input that is not transposed and has the same offset, leading dimension and "
            "stride");
    }
    check.check_workspace(operands.workspace, workspace_bytes_);
    return is_c;
  }

  MatrixAddProblem problem_;  // normalized
  LaunchSequence sequence_;
};

MatrixAddPlan::MatrixAddPlan(const Engine& engine, const MatrixAddProblem& problem)
    : state_(new_state<decltype(state_)>(engine, problem)) {}

TILEWRIGHT_DEFINE_MOVES(MatrixAddPlan)
TILEWRIGHT_DEFINE_CALLS(MatrixAdd)

Event matrix_add(const Engine& engine, cl_command_queue queue, const MatrixAddProblem& problem,
                 const MatrixAddOperands& operands, std::span<const cl_event> waits) {
  return enqueue_recent<MatrixAddPlan>(engine, queue, operands, waits, problem);
}

}  // namespace tilewright
