// Parts of programs and launches that products and updates share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch_sequence.hpp"
#include "level2/shape.hpp"

namespace tilewright::detail {

/// Numbers of a call's matrices.
enum Level2Matrix : std::uint64_t { matrix_a, matrix_x, matrix_y };

/// Returns the source of a variant. `stem` is "product" or "update", and `options` are those of cl/level2/<stem>.cl.
KernelSource level2_source(const Level2Problem& problem, const Level2Shape& shape, std::string_view stem,
                           const std::string& options, const DeviceProfile& device);

/// Compiles the launches of one problem for its batch. Scalars are passed as two numbers.
void build_level2(const Engine& engine, LaunchSequence& sequence, const Level2Problem& problem,
                  const KernelSource& source, std::vector<Launch> launches);

/// Appends the arguments of VECTOR_OPERAND and MATRIX_OPERAND of cl/level2/operands.cl for the call's matrix number
/// `which`.
void append_vector(std::vector<KernelArgument>& arguments, std::uint64_t which, const Level2Vector& vector);
void append_triangle(std::vector<KernelArgument>& arguments, std::uint64_t which, const Level2Problem& problem);

/// Appends the arguments of SCALAR_OPERAND: numbers 2 which and 2 which + 1 of the call.
void append_scalar(std::vector<KernelArgument>& arguments, std::uint64_t which);

/// Returns a launch of groups_x x groups_y work-groups.
Launch level2_launch(const char* kernel, std::vector<KernelArgument> arguments, std::int64_t group,
                     std::uint64_t groups_x, std::uint64_t groups_y = 1);

}  // namespace tilewright::detail
