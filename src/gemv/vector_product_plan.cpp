#include "gemv/vector_product_plan.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

constexpr std::array slots{&GemmOperands::a, &GemmOperands::b, &GemmOperands::c};

// Copies of a vector: one if all products of a batch share the vector.
std::uint64_t copies_of(const ProductOperand& vector, std::uint64_t count) { return vector.stride == 0 ? 1 : count; }

// The place of element 0 of a vector.
MatrixRef first_element(const ProductOperand& vector, MatrixRef ref) {
  if (vector.reversed) ref.offset += (vector.matrix.rows - 1) * vector.matrix.ld;
  return ref;
}

CallValues copy_of(const MatrixRef& from, const MatrixRef& to) {
  CallValues values;
  values.matrices = {from, to};
  return values;
}

}  // namespace

VectorProductPlan::VectorProductPlan(const Engine& engine, VectorProduct product, const Choice& choice)
    : context_(state_of(engine).context()),
      device_(state_of(engine).device()),
      programs_(state_of(engine).programs()),
      arena_(state_of(engine).shared_part<WorkspaceArena>()),
      product_(std::move(product)),
      plan_(engine, product_.product, choice),
      explanation_(explain_vector_product(product_, plan_.explanation())) {
  process().check();
  prepare_copies(engine);
}

void VectorProductPlan::prepare_copies(const Engine& engine) {
  if (product_.count() == 0 || product_.product.m == 0 || product_.product.n == 0) return;
  for (std::size_t i = 0; i < product_.operands.size(); ++i) {
    const ProductOperand& vector = product_.operands[i];
    if (!vector.copied || vector.matrix.rows == 0) continue;
    const std::size_t element = size_of(vector.type);
    const bool is_written = i + 1 == product_.operands.size();
    copied_.push_back({.operand = i,
                       .begin = copied_bytes_ / element,
                       .in = launch_of(engine, vector, false),
                       .out = is_written ? launch_of(engine, vector, true) : nullptr});
    const std::uint64_t all = bytes_of(copies_of(vector, product_.count()), vector.matrix.rows, element);
    copied_bytes_ += rounded_up(all, static_cast<std::int64_t>(workspace_alignment));
  }
  if (!copied_.empty()) reserve_workspace(*arena_, engine, workspace_bytes());
}

// The launch that makes the copies of a vector, or that copies the results back.
std::unique_ptr<LaunchSequence> VectorProductPlan::launch_of(const Engine& engine, const ProductOperand& vector,
                                                             bool out) const {
  using namespace argument;
  EngineState& state = state_of(engine);
  const DeviceProfile& device = engine.profile();
  const std::size_t items =
      std::min<std::size_t>(64, std::min(device.max_work_group_size, device.max_work_item_sizes[0]));
  const std::uint64_t count = copies_of(vector, product_.count());
  const std::uint64_t increment = vector.reversed ? 0 - vector.matrix.ld : vector.matrix.ld;  // as a long
  std::vector<KernelArgument> from{a, offset(increment), offset(vector.stride)},
      to{b, offset(1), offset(vector.matrix.rows)};
  if (out) {
    from.front() = b;
    to.front() = a;
    std::swap(from, to);
  }
  Launch launch{.kernel = "vector_copy",
                .arguments = {offset(vector.matrix.rows)},
                .global = {ceil_div(vector.matrix.rows, static_cast<std::int64_t>(items)) * items, 1},
                .local = {items, 1}};
  for (const auto& arguments : {from, to})
    launch.arguments.insert(launch.arguments.end(), arguments.begin(), arguments.end());
  const KernelSource source{
      "vector_copy",
      {"gemv/vector_copy.cl"},
      "-cl-std=CL1.2 -DELEMENT_BYTES=" + std::to_string(size_of(vector.type)) + " -DWG=" + std::to_string(items)};
  auto sequence = std::make_unique<LaunchSequence>(state, state.shared_part<WorkspaceArena>());
  if (!sequence->compile(state, source, in_grids({std::move(launch)}, count, device.max_work_groups)))
    throw Error(ErrorCode::invalid_configuration,
                "the device has too few registers for the work-groups that copy a vector");
  sequence->fix({.batch_count = count});
  return sequence;
}

Event VectorProductPlan::enqueue(cl_command_queue queue, const VectorCall& call, std::span<const cl_event> waits) {
  const bool reads_inputs = product_.product.k > 0 && !rounds_to_zero(product_.product.type, call.alpha);
  GemmOperands operands{.alpha = call.alpha, .beta = call.beta, .workspace = call.workspace, .event = call.event};
  for (std::size_t i = 0; i < slots.size(); ++i) operands.*slots[i] = call.refs[i];
  if (!copied_.empty()) return enqueue_with_copies(queue, call, operands, waits, reads_inputs);
  try {
    return plan_.enqueue(queue, operands, waits);
  } catch (const Error& error) {
    if (error.operand() != OperandName::none) check(call, reads_inputs);  // throws with the caller's names
    throw;
  }
}

Event VectorProductPlan::enqueue_with_copies(cl_command_queue queue, const VectorCall& call, GemmOperands operands,
                                             std::span<const cl_event> waits, bool reads_inputs) {
  process().check();
  check_queue(context_, device_, queue, waits);
  check_scalars(call);
  check(call, reads_inputs);
  const std::lock_guard lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes(), call.workspace);
  const WorkspaceRef& workspace = chain.workspace();
  const auto place_of = [&](const Copy& copy) {
    return MatrixRef{workspace.buffer, workspace.offset / size_of(product_.operands[copy.operand].type) + copy.begin};
  };
  operands.workspace = {};  // chain.plan() lends the part after the copies, if the product needs any
  const Copy* result = nullptr;
  for (const Copy& copy : copied_) {
    const ProductOperand& vector = product_.operands[copy.operand];
    if (copy.out) result = &copy;
    const bool is_read = copy.out ? !rounds_to_zero(product_.product.type, call.beta) : reads_inputs;
    operands.*slots[copy.operand] = is_read || copy.out ? place_of(copy) : MatrixRef{};
    if (is_read) chain.run(*copy.in, copy_of(first_element(vector, call.refs[copy.operand]), place_of(copy)));
  }
  chain.plan(plan_, operands, {workspace.buffer, workspace.offset + copied_bytes_}, call.event && result == nullptr);
  if (result != nullptr)
    chain.run(*result->out,
              copy_of(place_of(*result), first_element(product_.operands[result->operand], call.refs[result->operand])),
              call.event);
  return chain.finish(call.event);
}

// The product checks the scalars as well, but only after the copies are enqueued.
void VectorProductPlan::check_scalars(const VectorCall& call) const {
  const GemmProblem& p = product_.product;
  check_scalar(p.type, "alpha", call.alpha);
  check_scalar(p.type, "beta", call.beta);
  check_beta(p.type, p.type_c.value_or(default_type_of_c(p.type)), call.beta);
}

void VectorProductPlan::check(const VectorCall& call, bool reads_inputs) const {
  const GemmProblem& p = product_.product;
  if (p.m == 0 || p.n == 0 || product_.count() == 0) return;
  std::array<std::optional<PlacedOperand>, 3> placed;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const ProductOperand& operand = product_.operands[i];
    OperandUse use{.label = operand.label,
                   .matrix = operand.matrix,
                   .places = BatchOffsets(product_.count(), operand.stride),
                   .ref = call.refs[i],
                   .element = size_of(operand.type),
                   .offset_alignment = product_.offset_alignment,
                   .batched = product_.count() != 1};
    use.written = i == 2;
    use.read = use.written ? !rounds_to_zero(p.type, call.beta) : reads_inputs;
    if (use.written && operand.label.operand == OperandName::y) use.why_read = ", as beta is not 0";
    if (use.read || use.written) placed[i] = check_matrices(context_, product_.layout, use);
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (placed[i])
      check_apart(product_.operands[2].label, *placed[2], product_.operands[i].label, *placed[i],
                  "; the product cannot be in place");
  if (call.workspace.buffer == nullptr) return;
  const PlacedOperand workspace = check_workspace(context_, call.workspace, workspace_bytes());
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (placed[i]) check_workspace_apart(workspace, product_.operands[i].label, *placed[i]);
}

}  // namespace tilewright::detail
