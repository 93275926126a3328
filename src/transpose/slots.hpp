// The arguments of transpose's kernels that each call binds.
#pragma once

#include "kernels/launch.hpp"

namespace tilewright::detail::transpose_slots {

using namespace argument;

inline constexpr KernelArgument alpha = scalar(0);
inline constexpr KernelArgument a = matrix(0), b = matrix(1);

}  // namespace tilewright::detail::transpose_slots
