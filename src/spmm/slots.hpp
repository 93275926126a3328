// The arguments of spmm's kernels that each call binds.
#pragma once

#include "kernels/launch.hpp"

namespace tilewright::detail::spmm_slots {

using namespace argument;

inline constexpr KernelArgument alpha = scalar(0), beta = scalar(1);
inline constexpr KernelArgument a = matrix(0), b = matrix(1), c = matrix(2);  ///< a: the values of A
inline constexpr KernelArgument row_offsets = matrix(3), column_indices = matrix(4), permutation = matrix(5);

}  // namespace tilewright::detail::spmm_slots
