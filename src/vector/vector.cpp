#include "tilewright/vector.hpp"

#include "kernels/plans/plan.hpp"
#include "vector/problem.hpp"

namespace tilewright {
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

#define TILEWRIGHT_DEFINE_FUNCTION(function)                                                            \
  Event function(const Engine& engine, cl_command_queue queue, const VectorProblem& problem,            \
                 const VectorOperands& operands, std::span<const cl_event> waits) {                     \
    return detail::enqueue_recent<VectorPlan>(engine, queue, operands, waits, VectorFunction::function, \
                                              detail::canonical(VectorFunction::function, problem));    \
  }

TILEWRIGHT_DEFINE_FUNCTION(axpy)
TILEWRIGHT_DEFINE_FUNCTION(axpby)
TILEWRIGHT_DEFINE_FUNCTION(scal)
TILEWRIGHT_DEFINE_FUNCTION(hadamard)
TILEWRIGHT_DEFINE_FUNCTION(copy)
TILEWRIGHT_DEFINE_FUNCTION(swap)
TILEWRIGHT_DEFINE_FUNCTION(dot)
TILEWRIGHT_DEFINE_FUNCTION(dotc)
TILEWRIGHT_DEFINE_FUNCTION(nrm2)
TILEWRIGHT_DEFINE_FUNCTION(asum)
TILEWRIGHT_DEFINE_FUNCTION(iamax)

}  // namespace tilewright
