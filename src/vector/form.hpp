// The forms of a vector function: a kernel for general scalars, and others for scalars that make operands unread.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/vector.hpp"
#include "vector/kernel.hpp"

namespace tilewright::detail {

/// The operands of a call, in the order in which they are checked.
enum VectorOperand : std::size_t { operand_x, operand_y, operand_z, operand_result, vector_operands };
using OperandSet = std::array<bool, vector_operands>;

/// The name of an operand in messages.
const OperandLabel& label_of(std::size_t operand);

/// Whether a function takes elements of every type. The others take floating-point numbers.
bool takes_any_type(VectorFunction function);

/// A kernel, and what it does with the operands of the call.
struct VectorForm {
  VectorKernel kernel = VectorKernel::none;
  std::array<std::size_t, 3> arguments{};  ///< the vectors that the kernel takes, in its order
  std::size_t argument_count = 0;
  bool takes_alpha = false;  ///< before the first vector
  bool takes_beta = false;   ///< before the last vector
  OperandSet takes{}, reads{}, writes{};
  bool in_place = false;  ///< the output may be an input

  bool is_reduction() const { return kernel != VectorKernel::none && info_of(kernel).is_reduction(); }
};

enum class VectorWay {
  general,
  without_beta,  ///< axpby with beta = 0
  scaled,        ///< alpha = 0: the output is multiplied by beta; scal by alpha
  zeroed,        ///< the same with the factor 0
  unchanged,     ///< the same with the factor 1
};
inline constexpr std::size_t vector_ways = 5;

/// The form of a function that a way uses; none if the function never goes this way.
std::optional<VectorForm> form_of(VectorFunction function, VectorWay way, const VectorProblem& problem);

/// The form that takes all operands of a function.
VectorForm widest_form(VectorFunction function, const VectorProblem& problem);

/// The scalars of a call, rounded to the accumulator, and the way that they select.
struct VectorScalars {
  VectorWay way = VectorWay::general;
  std::complex<double> alpha = 1, beta = 0;  ///< as the kernel takes them
};

/// Throws Error(invalid_scalar).
VectorScalars scalars_of(VectorFunction function, DataType type, const VectorOperands& operands);

}  // namespace tilewright::detail
