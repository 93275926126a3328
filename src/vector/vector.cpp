#include "tilewright/vector.hpp"

#include "kernels/recent_plans.hpp"
#include "runtime/engine_state.hpp"
#include "vector/problem.hpp"

namespace tilewright {
namespace {

Event run(VectorFunction function, const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
          const VectorOperands& operands, std::span<const cl_event> waits) {
  return state_of(engine)
      .part<detail::RecentPlans<VectorPlan, VectorFunction, VectorProblem>>()
      .get(engine, function, detail::canonical(function, problem))
      ->enqueue(queue, operands, waits);
}

}  // namespace

std::string_view to_string(VectorFunction function) {
  switch (function) {
    case VectorFunction::axpy:
      return "axpy";
    case VectorFunction::axpby:
      return "axpby";
    case VectorFunction::scal:
      return "scal";
    case VectorFunction::hadamard:
      return "hadamard";
    case VectorFunction::copy:
      return "copy";
    case VectorFunction::swap:
      return "swap";
    case VectorFunction::dot:
      return "dot";
    case VectorFunction::dotc:
      return "dotc";
    case VectorFunction::nrm2:
      return "nrm2";
    case VectorFunction::asum:
      return "asum";
    case VectorFunction::iamax:
      return "iamax";
  }
  return "unknown";
}

Event axpy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::axpy, engine, queue, problem, operands, waits);
}

Event axpby(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
            std::span<const cl_event> waits) {
  return run(VectorFunction::axpby, engine, queue, problem, operands, waits);
}

Event scal(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::scal, engine, queue, problem, operands, waits);
}

Event hadamard(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,
               const VectorOperands& operands, std::span<const cl_event> waits) {
  return run(VectorFunction::hadamard, engine, queue, problem, operands, waits);
}

Event copy(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::copy, engine, queue, problem, operands, waits);
}

Event swap(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::swap, engine, queue, problem, operands, waits);
}

Event dot(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
          std::span<const cl_event> waits) {
  return run(VectorFunction::dot, engine, queue, problem, operands, waits);
}

Event dotc(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::dotc, engine, queue, problem, operands, waits);
}

Event nrm2(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::nrm2, engine, queue, problem, operands, waits);
}

Event asum(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
           std::span<const cl_event> waits) {
  return run(VectorFunction::asum, engine, queue, problem, operands, waits);
}

Event iamax(const Engine& engine, cl_command_queue queue, const VectorProblem& problem, const VectorOperands& operands,
            std::span<const cl_event> waits) {
  return run(VectorFunction::iamax, engine, queue, problem, operands, waits);
}

}  // namespace tilewright
