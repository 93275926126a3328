#pragma once

#include <span>

#include "gemm/problem.hpp"
#include "runtime/opencl.hpp"

namespace tilewright::detail {

/// Checks the queue and the events to wait for of one call.
void check_queue(const cl::Context& context, const cl::Device& device, cl_command_queue queue,
                 std::span<const cl_event> waits);

/// Checks the operands of one call of a normalized problem.
/// `names` are what the caller calls A, B and C. Where `reads_operands` is false, A and B may be null.
void check_operands(const cl::Context& context, const GemmProblem& problem, const GemmOperands& operands,
                    bool reads_operands, const char* names);

}  // namespace tilewright::detail
