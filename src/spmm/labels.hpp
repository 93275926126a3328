// What messages call the operands. Apart from the problem, as other operations have names for theirs, too.
#pragma once

#include "kernels/operands/stored_matrix.hpp"

namespace tilewright::detail {

inline constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b}, label_c{"C", OperandName::c};

}  // namespace tilewright::detail
