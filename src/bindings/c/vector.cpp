#include "tilewright/c/vector.h"

#include "bindings/c/plan_calls.hpp"
#include "tilewright/vector.hpp"

using namespace tilewright;

namespace {

using Function = Event (*)(const Engine&, cl_command_queue, const VectorProblem&, const VectorOperands&,
                           std::span<const cl_event>);

VectorFunction function_from(std::int32_t function) {
  if (function == 0) throw c::bad_value(function, "tilewright_vector_function");
  return c::from_c(function, VectorFunction{});
}

Function function_of(VectorFunction function) {
  switch (function) {
    case VectorFunction::axpy:
      return axpy;
    case VectorFunction::axpby:
      return axpby;
    case VectorFunction::scal:
      return scal;
    case VectorFunction::hadamard:
      return hadamard;
    case VectorFunction::copy:
      return tilewright::copy;
    case VectorFunction::swap:
      return tilewright::swap;
    case VectorFunction::dot:
      return dot;
    case VectorFunction::dotc:
      return dotc;
    case VectorFunction::nrm2:
      return nrm2;
    case VectorFunction::asum:
      return asum;
    case VectorFunction::iamax:
      return iamax;
  }
  return nullptr;
}

}  // namespace

tilewright_status tilewright_vector_plan_create(const tilewright_engine* engine, int32_t function,
                                                const tilewright_vector_problem* problem, tilewright_plan** plan) {
  return c::guarded([&] {
    c::expect_argument(plan, "plan");
    const Engine& on = c::engine_of(engine);
    const VectorFunction computed = function_from(function);
    *plan = new c::PlanHandle<VectorPlan>(VectorPlan(on, computed, c::from_c(*c::Input(problem))));
  });
}

tilewright_status tilewright_vector(const tilewright_engine* engine, cl_command_queue queue, int32_t function,
                                    const tilewright_vector_problem* problem,
                                    const tilewright_vector_operands* operands, cl_uint num_waits,
                                    const cl_event* waits, cl_event* event) {
  return c::guarded([&] {
    const Engine& on = c::engine_of(engine);
    const Function call = function_of(function_from(function));
    const VectorProblem wanted = c::from_c(*c::Input(problem));
    c::Form form = c::form_of(wanted);
    const VectorOperands given = c::operands_from(operands, form, event);
    c::hand_over(call(on, queue, wanted, given, c::events(num_waits, waits)), event);
  });
}
