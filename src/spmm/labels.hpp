// Names of the operands for messages. Separate from problem.hpp, because other operations have such names as well.
#pragma once

#include "kernels/operands/stored_matrix.hpp"

namespace tilewright::detail {

inline constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b}, label_c{"C", OperandName::c};

}  // namespace tilewright::detail
