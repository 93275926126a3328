#include "vector/problem.hpp"

#include <optional>
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

std::size_t element_bytes(std::size_t operand, VectorOperation operation, DataType type) {
  return operand == operand_result ? result_bytes(operation, type) : size_of(type);
}

// Whether two operands are the same elements in the same order.
bool coincide(const PlacedOperand& x, std::int64_t incx, const PlacedOperand& y, std::int64_t incy) {
  return x.root == y.root && incx == incy && x.matrices.begin == y.matrices.begin &&
         x.matrices.places.last() == y.matrices.places.last();
}

}  // namespace

std::array<std::int64_t, vector_operands> increments(const VectorProblem& problem) {
  return {problem.incx, problem.incy, problem.incz, 1};
}

std::array<std::uint64_t, vector_operands> strides(const VectorProblem& problem) {
  const Batch& batch = problem.batch;
  return {batch.stride_x, batch.stride_y, batch.stride_z, batch.stride_result};
}

VectorProblem canonical(VectorOperation operation, const VectorProblem& problem) {
  VectorProblem p = problem;
  const VectorKernel& kernel = kernel_of(operation);
  std::int64_t* const incs[] = {&p.incx, &p.incy, &p.incz};
  std::uint64_t* const steps[] = {&p.batch.stride_x, &p.batch.stride_y, &p.batch.stride_z, &p.batch.stride_result};
  for (std::size_t i = 0; i < vector_operands; ++i) {
    if (!kernel.takes[i] || p.batch.count <= 1)
      *steps[i] = 0;
    else if (i == operand_result && *steps[i] == 0)
      *steps[i] = 1;
    if (i != operand_result && (!kernel.takes[i] || (p.n <= 1 && *incs[i] != 0))) *incs[i] = 1;
  }
  return p;
}

void check_problem(const DeviceProfile& device, VectorOperation operation, const VectorProblem& problem,
                   const VectorOperands& operands) {
  const VectorKernel& kernel = kernel_of(operation);
  const ElementType& type = element_type(problem.type);
  if (!kernel.any_type) {
    if (is_integer(problem.type))
      throw Error(ErrorCode::unsupported_type, std::string(kernel.name) + " has no " + std::string(type.name) +
                                                   "; copy and swap have every type, and the others those of floats");
    if (const auto why = why_unsupported(problem.type, device); !why.empty())
      throw Error(ErrorCode::unsupported_type, device.name + ": " + why + "; use another type or another device");
  }
  check_strides(problem.batch, {&Batch::stride_x, &Batch::stride_y, &Batch::stride_z, &Batch::stride_result});
  for (std::size_t i = 0; i < vector_operands; ++i) {
    if (!kernel.takes[i]) continue;
    const OperandLabel& label = operands.of[i].label;
    const StoredMatrix vector = stored(i, problem);
    const std::uint64_t stride = strides(problem)[i];
    if (vector.ld == 0)
      throw Error(ErrorCode::invalid_increment, label.operand,
                  std::string("inc") + label.name + " is 0; elements that lie side by side have 1");
    const std::size_t bytes = element_bytes(i, operation, problem.type);
    check_extent(label, vector, Layout::row_major, bytes);
    check_batch_extent(label, vector, stride, problem.batch.count, bytes);
    if (!kernel.writes[i]) continue;
    if (const auto x = first_overlap(vector, stride, problem.batch.count))
      throw Error(ErrorCode::overlapping_operands, label.operand,
                  "the stride of " + std::string(label.name) + " is " + std::to_string(stride) +
                      ", so that the first one of the batch and number " + std::to_string(*x) +
                      " after it share elements");
  }
}

void check_operands(const cl::Context& context, VectorOperation operation, const VectorProblem& problem,
                    const VectorOperands& operands) {
  const VectorKernel& kernel = kernel_of(operation);
  std::array<std::optional<PlacedOperand>, vector_operands> placed;
  for (std::size_t i = 0; i < vector_operands; ++i) {
    if (!kernel.takes[i] || (i != operand_result && problem.n == 0)) continue;
    const bool read = kernel.reads[i] && !(i == operand_z && operands.beta == 0.0);
    placed[i] = check_matrices(context, Layout::row_major,
                               {.label = operands.of[i].label,
                                .matrix = stored(i, problem),
                                .places = BatchOffsets(problem.batch.count, strides(problem)[i]),
                                .ref = operands.of[i].ref,
                                .element = element_bytes(i, operation, problem.type),
                                .batched = problem.batch.count != 1,
                                .read = read,
                                .written = kernel.writes[i]});
  }
  for (std::size_t out = 0; out < vector_operands; ++out)
    for (std::size_t in = 0; in < out; ++in) {
      if (!placed[out] || !placed[in] || !(kernel.writes[out] || kernel.writes[in])) continue;
      if (kernel.may_coincide && coincide(*placed[out], increments(problem)[out], *placed[in], increments(problem)[in]))
        continue;
      check_apart(operands.of[out].label, *placed[out], operands.of[in].label, *placed[in],
                  kernel.may_coincide ? "; they may be the same vector, but not a part of each other" : "");
    }
}

}  // namespace tilewright::detail
