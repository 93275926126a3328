// A kernel that is loaded before its first launch where a driver needs that.
#pragma once

#include <span>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// A kernel launched in grids of several sizes, with work-groups of one size. Plans must use it under their own lock.
class LaunchKernel {
 public:
  LaunchKernel(const cl::Program& program, const char* name);

  const cl::Kernel& get() const { return kernel_; }
  cl_kernel operator()() const { return kernel_(); }

  /// Loads the kernel before its first launch, and waits for that, if must_load_widest() says so. Its arguments must be
  /// set.
  void load(cl_command_queue queue, std::span<const std::size_t> local) const;

 private:
  cl::Kernel kernel_;
  mutable bool is_loaded_ = false;
};

}  // namespace tilewright::detail
