// The arguments of gemm's kernels that each call binds.
#pragma once

#include "kernels/launch.hpp"

namespace tilewright::detail::gemm_slots {

using namespace argument;

inline constexpr KernelArgument depth = size;  ///< length of the sums; 0 if the inputs are not read
inline constexpr KernelArgument alpha = scalar(0), beta = scalar(1);
/// The scalars of complex products that preparations take, and kernels that read complex operands: see core_scalars().
inline constexpr KernelArgument folded_re = scalar(2), folded_im = scalar(3), scale_re = scalar(4),
                                scale_im = scalar(5);
inline constexpr KernelArgument a = matrix(0), b = matrix(1), c = matrix(2);
inline constexpr KernelArgument scale = matrix(3), bias = matrix(4), residual = matrix(5);
inline constexpr KernelArgument epilogue = inserted;  ///< epilogue_arguments()

}  // namespace tilewright::detail::gemm_slots
