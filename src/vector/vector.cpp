#include "tilewright/vector.hpp"

#include <string>

#include "kernels/element_type.hpp"
#include "kernels/recent_plans.hpp"
#include "kernels/scalars.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/engine_state.hpp"
#include "tilewright/error.hpp"
#include "vector/problem.hpp"

namespace tilewright {

using namespace detail;

namespace {

NamedVector named_x(MatrixRef ref) { return {{"x", OperandName::x}, ref}; }
NamedVector named_y(MatrixRef ref) { return {{"y", OperandName::y}, ref}; }
NamedVector named_z(MatrixRef ref) { return {{"z", OperandName::z}, ref}; }
NamedVector named_result(MatrixRef ref) { return {{"the result", OperandName::result}, ref}; }

Event run(const Engine& engine, cl_command_queue queue, VectorOperation operation, const VectorProblem& problem,
          const VectorOperands& operands, std::span<const cl_event> waits) {
  return translated([&] {
    const VectorProblem p = canonical(operation, problem);
    check_problem(engine.profile(), operation, p, operands);
    return state_of(engine)
        .part<RecentPlans<VectorPlan, VectorOperation, VectorProblem>>()
        .get(engine, operation, p)
        ->enqueue(queue, operands, waits);
  });
}

// A scalar of -0 becomes 0, so that its sign does not reach the result.
std::complex<double> checked(const char* name, const VectorProblem& problem, const Scalar& value) {
  check_scalar(problem.type, name, value);
  const std::complex<double> result = rounded(problem.type, value);
  return result == 0.0 ? 0.0 : result;
}

// y = factor y, of an operand that the caller has another name for.
Event scale_in_place(const Engine& engine, cl_command_queue queue, VectorProblem problem, std::int64_t increment,
                     std::uint64_t stride, std::complex<double> factor, const NamedVector& vector,
                     std::span<const cl_event> waits) {
  problem.incx = problem.incy = increment;
  problem.batch.stride_x = problem.batch.stride_y = stride;
  const VectorOperation operation = factor == 0.0   ? VectorOperation::zero
                                    : factor == 1.0 ? VectorOperation::none
                                                    : VectorOperation::scaled;
  return run(engine, queue, operation, problem, {.alpha = factor, .of = {vector, vector}}, waits);
}

}  // namespace

Event axpy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha, MatrixRef x,
           MatrixRef y, std::span<const cl_event> waits) {
  return axpby(engine, queue, problem, alpha, x, 1, y, waits);
}

Event axpby(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha, MatrixRef x,
            Scalar beta, MatrixRef y, std::span<const cl_event> waits) {
  const std::complex<double> a = checked("alpha", problem, alpha), b = checked("beta", problem, beta);
  if (a == 0.0)
    return scale_in_place(engine, queue, problem, problem.incy, problem.batch.stride_y, b, named_y(y), waits);
  return run(engine, queue, b == 0.0 ? VectorOperation::scaled : VectorOperation::axpby, problem,
             {.alpha = a, .beta = b, .of = {named_x(x), named_y(y)}}, waits);
}

Event scal(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha, MatrixRef x,
           std::span<const cl_event> waits) {
  return scale_in_place(engine, queue, problem, problem.incx, problem.batch.stride_x, checked("alpha", problem, alpha),
                        named_x(x), waits);
}

Event hadamard(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, Scalar alpha, MatrixRef x,
               MatrixRef y, Scalar beta, MatrixRef z, std::span<const cl_event> waits) {
  const std::complex<double> a = checked("alpha", problem, alpha), b = checked("beta", problem, beta);
  if (a == 0.0)
    return scale_in_place(engine, queue, problem, problem.incz, problem.batch.stride_z, b, named_z(z), waits);
  return run(engine, queue, VectorOperation::hadamard, problem,
             {.alpha = a, .beta = b, .of = {named_x(x), named_y(y), named_z(z)}}, waits);
}

Event copy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef y,
           std::span<const cl_event> waits) {
  return run(engine, queue, VectorOperation::copy, problem, {.of = {named_x(x), named_y(y)}}, waits);
}

Event swap(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef y,
           std::span<const cl_event> waits) {
  return run(engine, queue, VectorOperation::swap, problem, {.of = {named_x(x), named_y(y)}}, waits);
}

Event dot(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef y,
          MatrixRef result, Summation summation, std::span<const cl_event> waits) {
  const auto operation = summation == Summation::compensated ? VectorOperation::compensated_dot : VectorOperation::dot;
  return run(engine, queue, operation, problem, {.of = {named_x(x), named_y(y), {}, named_result(result)}}, waits);
}

Event dotc(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef y,
           MatrixRef result, Summation summation, std::span<const cl_event> waits) {
  if (!is_complex(problem.type)) return dot(engine, queue, problem, x, y, result, summation, waits);
  const auto operation =
      summation == Summation::compensated ? VectorOperation::compensated_dotc : VectorOperation::dotc;
  return run(engine, queue, operation, problem, {.of = {named_x(x), named_y(y), {}, named_result(result)}}, waits);
}

Event nrm2(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef result,
           std::span<const cl_event> waits) {
  return run(engine, queue, VectorOperation::nrm2, problem, {.of = {named_x(x), {}, {}, named_result(result)}}, waits);
}

Event asum(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef result,
           std::span<const cl_event> waits) {
  return run(engine, queue, VectorOperation::asum, problem, {.of = {named_x(x), {}, {}, named_result(result)}}, waits);
}

Event iamax(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, MatrixRef x, MatrixRef result,
            std::span<const cl_event> waits) {
  return run(engine, queue, VectorOperation::iamax, problem, {.of = {named_x(x), {}, {}, named_result(result)}}, waits);
}

}  // namespace tilewright
