// Binding of kernel arguments to the values of a plan and of a call.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "kernels/launch.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Values that all calls of a plan share.
struct FixedValues {
  DataType scalar_type = DataType::f32;  ///< type of the arithmetic: an accumulator; float2 or double2 if complex
  bool wide_index = false;               ///< sizes are long instead of int
  std::uint64_t batch_count = 1;
  std::vector<std::uint64_t> batch_strides{};  ///< in elements; one argument each
  cl_mem batch_offsets = nullptr;              ///< replaces the strides in a batch by offsets
  std::vector<KernelArgument> inserted{};      ///< replace an argument of kind `inserted`
};

/// The scalars of a call, by number. Only operations whose scalar_type is complex pass imaginary parts.
using CallScalars = std::array<std::complex<double>, 6>;

/// Values that each call sets.
struct CallValues {
  std::uint64_t size = 0;
  CallScalars scalars{};
  std::array<MatrixRef, 6> matrices{};
  std::vector<MatrixRef> workspaces{};
};

/// Sets the arguments that are equal in all calls.
void set_fixed_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& values);

/// Sets the arguments that each call changes.
void set_call_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& fixed, const CallValues& call);

/// Sets all arguments.
void set_arguments(cl_kernel kernel, const Launch& launch, const FixedValues& fixed, const CallValues& call);

}  // namespace tilewright::detail
