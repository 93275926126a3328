#pragma once

#include <array>
#include <complex>
#include <memory>
#include <span>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/event.hpp"
#include "tilewright/vector.hpp"
#include "vector/operation.hpp"

namespace tilewright::detail {

/// An operand under the name that the caller knows it by.
struct NamedVector {
  OperandLabel label{};
  MatrixRef ref{};
};

struct VectorOperands {
  std::complex<double> alpha = 1;  ///< rounded to the accumulator
  std::complex<double> beta = 1;
  std::array<NamedVector, vector_operands> of{};
};

/// One form for all problems that are done alike, for a look-up: what the operation does not take is filled in.
VectorProblem canonical(VectorOperation operation, const VectorProblem& problem);

/// The compiled kernels of a canonical problem that was checked. Safe to use from many threads.
class VectorPlan {
 public:
  /// Throws Error(build_failed, out_of_memory).
  VectorPlan(const Engine& engine, const VectorOperation& operation, const VectorProblem& problem);

  /// Throws as vector.hpp says of the operands.
  Event enqueue(cl_command_queue queue, const VectorOperands& operands, std::span<const cl_event> waits) const;

 private:
  class State;
  std::shared_ptr<State> state_;  // to an incomplete type, with a deleter of its own
};

}  // namespace tilewright::detail
