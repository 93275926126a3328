// A device with an engine and a queue, and buffers on it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::tool {

/// Throws Error if `status` is not CL_SUCCESS.
void check_opencl(cl_int status, const std::string& call);

struct ReleaseQueue {
  void operator()(cl_command_queue queue) const { clReleaseCommandQueue(queue); }
};
struct ReleaseBuffer {
  void operator()(cl_mem buffer) const { clReleaseMemObject(buffer); }
};
using Queue = std::unique_ptr<std::remove_pointer_t<cl_command_queue>, ReleaseQueue>;
using Buffer = std::unique_ptr<std::remove_pointer_t<cl_mem>, ReleaseBuffer>;

/// A device with its engine and an in-order queue. The queue has no profiling, which would slow it down.
class Session {
 public:
  /// Picks the device with pick_device(wanted_device).
  explicit Session(const std::string& wanted_device);

  const Device& device() const { return device_; }
  const Engine& engine() const { return engine_; }
  cl_command_queue queue() const { return queue_.get(); }

  /// Throws Error(out_of_memory) if the product's dense matrices exceed the device's memory. Call before any
  /// allocation.
  void require_memory(const GemmProblem& problem) const;
  /// Throws Error(out_of_memory) if `bytes` exceeds the device's memory.
  void require_memory(double bytes) const;
  /// Throws Error(out_of_memory) if `matrices` matrices of `bytes` each exceed the device's memory, or one exceeds its
  /// largest buffer.
  void require_memory(double bytes, unsigned matrices) const;

  /// Returns a buffer with this content. An empty content gets a buffer of one byte, because OpenCL has no empty
  /// buffers.
  Buffer make_buffer(std::span<const std::byte> content) const;
  void write(cl_mem buffer, std::span<const std::byte> content) const;
  void read(cl_mem buffer, std::span<std::byte> content) const;

 private:
  Device device_;
  Engine engine_;
  Queue queue_;
};

}  // namespace tilewright::tool
