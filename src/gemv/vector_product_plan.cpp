#include "gemv/vector_product_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"
#include "kernels/vector_copy.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {
namespace {

constexpr std::array slots{&GemmOperands::a, &GemmOperands::b, &GemmOperands::c};

// Copies of a vector: one if all products of a batch share the vector.
std::uint64_t copies_of(const ProductOperand& vector, std::uint64_t count) { return vector.stride == 0 ? 1 : count; }

VectorSteps steps_of(const ProductOperand& vector) {
  return {vector.reversed ? 0 - vector.matrix.ld : vector.matrix.ld, vector.stride};
}

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
    : PlanBase(engine), product_(std::move(product)), plan_(engine, product_.product, choice) {
  explanation_ = explain_vector_product(product_, plan_.explanation());
  workspace_bytes_ = plan_.workspace_bytes();
  prepare_copies(engine);
}

void VectorProductPlan::prepare_copies(const Engine& engine) {
  if (product_.count() == 0 || product_.product.m == 0 || product_.product.n == 0) return;
  for (std::size_t i = 0; i < product_.operands.size(); ++i) {
    const ProductOperand& vector = product_.operands[i];
    if (!vector.copied || vector.matrix.rows == 0) continue;
    const std::size_t element = size_of(vector.type);
    const bool is_written = i + 1 == product_.operands.size();
    const std::uint64_t length = vector.matrix.rows, count = copies_of(vector, product_.count());
    const VectorSteps steps = steps_of(vector), dense{1, length};
    copied_.push_back({i, copied_bytes_ / element, vector_copy(engine, element, length, count, steps, dense), {}});
    if (is_written) copied_.back().out.emplace(vector_copy(engine, element, length, count, dense, steps));
    const std::uint64_t all = bytes_of(count, length, element);
    copied_bytes_ += rounded_up(all, static_cast<std::int64_t>(workspace_alignment));
  }
  if (!copied_.empty()) reserve_workspace(engine, copied_bytes_ + plan_.workspace_bytes());
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
  check_call(queue, waits);
  check_scalars(call);
  check(call, reads_inputs);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, call.workspace);
  const WorkspaceRef& workspace = chain.workspace();
  const auto place_of = [&](const Copy& copy) {
    return MatrixRef{workspace.buffer, workspace.offset / size_of(product_.operands[copy.operand].type) + copy.begin};
  };
  operands.workspace = {};  // chain.plan() lends the part after the copies, if the product needs any
  Copy* result = nullptr;
  for (Copy& copy : copied_) {
    const ProductOperand& vector = product_.operands[copy.operand];
    if (copy.out) result = &copy;
    const bool is_read = copy.out ? !rounds_to_zero(product_.product.type, call.beta) : reads_inputs;
    operands.*slots[copy.operand] = is_read || copy.out ? place_of(copy) : MatrixRef{};
    if (is_read) copy.in.run(chain, copy_of(first_element(vector, call.refs[copy.operand]), place_of(copy)));
  }
  chain.plan(plan_, operands, {workspace.buffer, workspace.offset + copied_bytes_}, call.event && result == nullptr);
  if (result != nullptr)
    result->out->run(
        chain,
        copy_of(place_of(*result), first_element(product_.operands[result->operand], call.refs[result->operand])),
        call.event);
  Event last = chain.finish(call.event);
  note_enqueued(lock, was_enqueued_, copied_.front().in.program());
  return last;
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
  OperandCheck check(context_);
  for (std::size_t i = 0; i < product_.operands.size(); ++i) {
    const ProductOperand& operand = product_.operands[i];
    const bool written = i == 2;
    check.add({.label = operand.label,
               .layout = product_.layout,
               .matrix = operand.matrix,
               .places = BatchOffsets(product_.count(), operand.stride),
               .ref = call.refs[i],
               .element = size_of(operand.type),
               .offset_alignment = product_.offset_alignment,
               .batched = product_.count() != 1,
               .read = written ? !rounds_to_zero(p.type, call.beta) : reads_inputs,
               .written = written,
               .why_read = written && operand.label.operand == OperandName::y ? ", as beta is not 0" : "",
               .overlap_hint = written ? "; the product cannot be in place" : ""});
  }
  check.finish(call.workspace, workspace_bytes_);
}

}  // namespace tilewright::detail
