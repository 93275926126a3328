#pragma once

#include <span>

#include "gemm/problem.hpp"
#include "gemm/variant.hpp"
#include "runtime/opencl.hpp"

namespace tilewright::detail {

/// Checks the queue and the events to wait for of one call.
void check_queue(const cl::Context& context, const cl::Device& device, cl_command_queue queue,
                 std::span<const cl_event> waits);

/// Which of A and B a call reads; the others may be null.
struct InputsRead {
  bool a = false;
  bool b = false;
};

/// Checks the operands of one call of a normalized problem.
/// `names` are what the caller calls A, B and C. Offsets that are not new were checked before, among themselves.
void check_operands(const cl::Context& context, const GemmProblem& problem, const GemmOperands& operands,
                    InputsRead reads, bool new_offsets, const char* names);

/// Checks A or B of a normalized problem alone, whose batch is not by offsets.
void check_input(const cl::Context& context, const GemmProblem& problem, const MatrixRef& ref, Operand input,
                 char name);

}  // namespace tilewright::detail
