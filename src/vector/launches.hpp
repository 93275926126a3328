// The program and the launches of a form of a vector function.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch_sequence.hpp"
#include "vector/form.hpp"
#include "vector/shape.hpp"

namespace tilewright::detail {

/// `name` is the function's name, for messages.
KernelSource source_of(const char* name, const VectorForm& form, DataType type, const VectorShape& shape);

/// One launch; two for a reduction with several work-groups, the second of which combines their results.
std::vector<Launch> launches_of(const VectorForm& form, const VectorProblem& problem, const VectorShape& shape);

/// The index in CallValues::matrices of an operand. The result uses z's, because no function has both.
constexpr std::size_t matrix_index(std::size_t operand) { return operand == operand_result ? operand_z : operand; }

}  // namespace tilewright::detail
