#pragma once

#include <span>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// A kernel that is launched in grids of several sizes, of work-groups of one size. A plan uses it under a lock of its
/// own.
class LaunchKernel {
 public:
  LaunchKernel(const cl::Program& program, const char* name) : kernel_(program, name) {}

  const cl::Kernel& get() const { return kernel_; }
  cl_kernel operator()() const { return kernel_(); }

  /// Has the kernel loaded before its first launch, and waits for that, where must_load_widest(). Its arguments are
  /// set.
  void load(cl_command_queue queue, std::span<const std::size_t> local) const;

 private:
  cl::Kernel kernel_;
  mutable bool is_loaded_ = false;
};

}  // namespace tilewright::detail
