// Buffers and comparisons that the examples share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <tilewright/device.hpp>
#include <tilewright/engine.hpp>
#include <tilewright/error.hpp>
#include <tilewright/matrix.hpp>
#include <tilewright/opencl.hpp>
#include <vector>

/// Throws if an OpenCL call failed.
inline void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(call) + ": " + tilewright::opencl_status_name(status));
}

/// A device, an engine and an in-order queue.
class Session {
 public:
  Session() : device_(tilewright::pick_device()), engine_(device_) {
    cl_int status = CL_SUCCESS;
    queue_ = clCreateCommandQueue(engine_.context(), device_.id, 0, &status);
    check(status, "clCreateCommandQueue");
  }
  ~Session() { clReleaseCommandQueue(queue_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const tilewright::Engine& engine() const { return engine_; }
  cl_command_queue queue() const { return queue_; }

 private:
  tilewright::Device device_;
  tilewright::Engine engine_;
  cl_command_queue queue_ = nullptr;
};

/// Elements in device memory.
template <class T>
class Buffer {
 public:
  Buffer(const Session& session, std::vector<T> values) : session_(session), count_(values.size()) {
    cl_int status = CL_SUCCESS;
    buffer_ = clCreateBuffer(session.engine().context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             values.size() * sizeof(T), values.data(), &status);
    check(status, "clCreateBuffer");
  }
  Buffer(const Session& session, std::size_t count) : Buffer(session, std::vector<T>(count)) {}
  ~Buffer() { clReleaseMemObject(buffer_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  operator tilewright::MatrixRef() const { return {.buffer = buffer_}; }

  /// Waits for the queue and returns the elements.
  std::vector<T> read() const {
    std::vector<T> values(count_);
    check(clEnqueueReadBuffer(session_.queue(), buffer_, CL_TRUE, 0, count_ * sizeof(T), values.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    return values;
  }

 private:
  const Session& session_;
  std::size_t count_;
  cl_mem buffer_ = nullptr;
};

/// Whether a result is close to its expected value; prints both if it is not.
inline bool is_close(const char* name, double value, double expected) {
  if (std::abs(value - expected) <= 1e-4 * (1 + std::abs(expected))) return true;
  std::printf("%s is %g, but should be %g\n", name, value, expected);
  return false;
}
