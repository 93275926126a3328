#pragma once

#include <array>
#include <vector>

#include "kernels/launch.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// What the calls of a plan have in common.
struct FixedValues {
  DataType scalar_type = DataType::f32;  ///< of the arithmetic: an accumulator
  bool wide_index = false;               ///< sizes are long, not int
  std::uint64_t batch_count = 1;
  std::vector<std::uint64_t> batch_strides{};  ///< in elements; an argument each
  cl_mem batch_offsets = nullptr;              ///< the only argument of a batch by offsets
  std::vector<KernelArgument> epilogue{};      ///< those that stand for one of kind epilogue
};

/// alpha and beta as the main kernel takes them, then those that only preparations take, if there are any.
using CallScalars = std::array<double, 6>;

/// What one call sets.
struct CallValues {
  std::uint64_t depth = 0;
  CallScalars scalars{};
  std::array<MatrixRef, 6> matrices{};  ///< A, B, C, scale, bias, residual
  std::vector<MatrixRef> workspaces{};
};

/// Sets the arguments that no call changes.
void set_fixed_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& values);

/// Sets the others.
void set_call_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& fixed, const CallValues& call);

}  // namespace tilewright::detail
