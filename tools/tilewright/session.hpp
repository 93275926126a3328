// A device ready for work, and its memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "tilewright/device.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {

/// Throws Error where an OpenCL call failed.
void check_opencl(cl_int status, const std::string& call);

struct ReleaseQueue {
  void operator()(cl_command_queue queue) const { clReleaseCommandQueue(queue); }
};
struct ReleaseBuffer {
  void operator()(cl_mem buffer) const { clReleaseMemObject(buffer); }
};
using Queue = std::unique_ptr<std::remove_pointer_t<cl_command_queue>, ReleaseQueue>;
using Buffer = std::unique_ptr<std::remove_pointer_t<cl_mem>, ReleaseBuffer>;

/// A device with its engine and an in-order queue without profiling, which would slow it down.
class Session {
 public:
  /// Picks the device as pick_device() does.
  explicit Session(const std::string& wanted_device);

  const Device& device() const { return device_; }
  const Engine& engine() const { return engine_; }
  cl_command_queue queue() const { return queue_.get(); }

  /// Refuses a product whose matrices, densely stored, do not fit into the device's memory, before anything is
  /// allocated for it. Throws Error(out_of_memory).
  void require_memory(const GemmProblem& problem) const;
  /// The same of matrices that take so many bytes.
  void require_memory(double bytes) const;
  /// The same for `matrices` matrices of so many bytes each, which a single buffer has to hold.
  void require_memory(double bytes, unsigned matrices) const;

  /// A buffer with these bytes; a single byte where there are none, as OpenCL has no empty buffers.
  Buffer make_buffer(std::span<const std::byte> content) const;
  void write(cl_mem buffer, std::span<const std::byte> content) const;
  void read(cl_mem buffer, std::span<std::byte> content) const;

 private:
  Device device_;
  Engine engine_;
  Queue queue_;
};

}  // namespace tilewright::tool
