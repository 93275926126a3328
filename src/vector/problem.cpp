#include "vector/problem.hpp"

#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

std::uint64_t magnitude(std::int64_t increment) {
  const auto bits = static_cast<std::uint64_t>(increment);
  return increment < 0 ? 0 - bits : bits;
}

// A vector as a matrix of one column.
StoredMatrix stored(std::size_t operand, const VectorProblem& p) {
  if (operand == operand_result) return {1, 1, 1};
  return {p.n, 1, magnitude(increments(p)[operand])};
}

std::size_t element_bytes(std::size_t operand, const VectorForm& form, DataType type) {
  return operand == operand_result ? result_bytes(form.kernel, type) : size_of(type);
}

MatrixRef ref_of(const VectorOperands& operands, std::size_t operand) {
  const MatrixRef* const refs[] = {&operands.x, &operands.y, &operands.z, &operands.result};
  return *refs[operand];
}

// Whether two operands are the same elements in the same order.
bool coincide(const PlacedOperand& x, std::int64_t incx, const PlacedOperand& y, std::int64_t incy) {
  return x.root == y.root && incx == incy && x.matrices.begin == y.matrices.begin &&
         x.matrices.places.last() == y.matrices.places.last();
}

using Placed = std::array<const PlacedOperand*, vector_operands>;

void check_all_apart(const Placed& placed, const VectorForm& form, const VectorProblem& problem) {
  for (std::size_t out = 0; out < vector_operands; ++out)
    for (std::size_t in = 0; in < out; ++in) {
      if (placed[out] == nullptr || placed[in] == nullptr || !(form.writes[out] || form.writes[in])) continue;
      if (form.in_place && coincide(*placed[out], increments(problem)[out], *placed[in], increments(problem)[in]))
        continue;
      check_apart(label_of(out), *placed[out], label_of(in), *placed[in],
                  form.in_place ? "; they may be the same vector, but must not overlap otherwise" : "");
    }
}

}  // namespace

std::array<std::int64_t, vector_operands> increments(const VectorProblem& problem) {
  return {problem.incx, problem.incy, problem.incz, 1};
}

std::array<std::uint64_t, vector_operands> strides(const VectorProblem& problem) {
  const Batch& batch = problem.batch;
  return {batch.stride_x, batch.stride_y, batch.stride_z, batch.stride_result};
}

VectorProblem canonical(VectorFunction function, const VectorProblem& problem) {
  VectorProblem p = problem;
  const OperandSet has = widest_form(function, problem).takes;
  std::int64_t* const incs[] = {&p.incx, &p.incy, &p.incz};
  std::uint64_t* const steps[] = {&p.batch.stride_x, &p.batch.stride_y, &p.batch.stride_z, &p.batch.stride_result};
  for (std::size_t i = 0; i < vector_operands; ++i) {
    if (!has[i] || p.batch.count <= 1)
      *steps[i] = 0;
    else if (i == operand_result && *steps[i] == 0)
      *steps[i] = 1;
    if (i != operand_result && (!has[i] || (p.n <= 1 && *incs[i] != 0))) *incs[i] = 1;
  }
  if (function != VectorFunction::dot && function != VectorFunction::dotc) p.summation = Summation::plain;
  return p;
}

void check_problem(const DeviceProfile& device, VectorFunction function, const VectorProblem& problem) {
  const ElementType& type = element_type(problem.type);
  if (!takes_any_type(function)) {
    if (is_integer(problem.type))
      throw Error(ErrorCode::unsupported_type,
                  std::string(to_string(function)) + " has no " + std::string(type.name) +
                      "; use f16, bf16, f32, f64, c64 or c128 (copy and swap take every type)");
    check_support(problem.type, device);
  }
  check_strides(problem.batch, {&Batch::stride_x, &Batch::stride_y, &Batch::stride_z, &Batch::stride_result});
  const VectorForm form = widest_form(function, problem);
  for (std::size_t i = 0; i < vector_operands; ++i) {
    if (!form.takes[i]) continue;
    const OperandLabel& label = label_of(i);
    const StoredMatrix vector = stored(i, problem);
    const std::uint64_t stride = strides(problem)[i];
    if (vector.ld == 0)
      throw Error(
          ErrorCode::invalid_increment, label.operand,
          std::string("inc") + label.name +
              " is 0; use 1 for a vector without gaps, or a negative increment for one that is stored backwards");
    const std::size_t bytes = element_bytes(i, form, problem.type);
    check_extent(label, vector, Layout::row_major, bytes);
    check_batch_extent(label, vector, stride, problem.batch.count, bytes);
    if (form.writes[i]) check_batch_apart(label, vector, stride, problem.batch.count);
  }
}

void check_operands(const cl::Context& context, const VectorForm& form, const VectorProblem& problem,
                    const VectorOperands& operands, std::complex<double> beta, std::uint64_t workspace_bytes) {
  OperandCheck check(context);
  Placed placed{};
  for (std::size_t i = 0; i < vector_operands; ++i) {
    if (!form.takes[i] || (i != operand_result && problem.n == 0)) continue;
    const bool unread_output = form.takes_beta && form.writes[i] && beta == 0.0;
    placed[i] = check.add({.label = label_of(i),
                           .matrix = stored(i, problem),
                           .places = BatchOffsets(problem.batch.count, strides(problem)[i]),
                           .ref = ref_of(operands, i),
                           .element = element_bytes(i, form, problem.type),
                           .batched = problem.batch.count != 1,
                           .read = form.reads[i] && !unread_output,
                           .written = form.writes[i]});
  }
  check_all_apart(placed, form, problem);
  check.check_workspace(operands.workspace, workspace_bytes);
}

}  // namespace tilewright::detail
