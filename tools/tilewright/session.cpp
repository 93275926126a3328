#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gemm/problem.hpp"
#include "text/format.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {

void check_opencl(cl_int status, const std::string& call) {
  if (status == CL_SUCCESS) return;
  const bool no_memory = status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
                         status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE;
  throw Error(no_memory ? ErrorCode::out_of_memory : ErrorCode::opencl_failure,
              fmt::format("{} failed: {}", call, opencl_status_name(status)), status);
}

Session::Session(const std::string& wanted_device) : device_(pick_device(wanted_device)), engine_(device_) {
  cl_int status = CL_SUCCESS;
  queue_.reset(clCreateCommandQueue(engine_.context(), engine_.device(), 0, &status));
  check_opencl(status, "clCreateCommandQueue");
}

void Session::require_memory(const GemmProblem& problem) const {
  // Sizes may be arbitrarily large: compute in double, which cannot overflow here.
  const auto m = static_cast<double>(problem.m);
  const auto n = static_cast<double>(problem.n);
  const auto k = static_cast<double>(problem.k);
  require_memory(
      ((m * k + k * n) * static_cast<double>(size_of(problem.type)) +
       m * n * (problem.epilogue.residual ? 2 : 1) * static_cast<double>(size_of(detail::type_of_c(problem)))) *
      static_cast<double>(problem.batch.count));
}

void Session::require_memory(double bytes) const {
  const std::uint64_t memory = device_.profile.global_memory_bytes;
  if (bytes <= static_cast<double>(memory)) return;
  throw Error(ErrorCode::out_of_memory, fmt::format("the matrices take {:.3g} GiB, but {} has {}", bytes * 0x1p-30,
                                                    device_.profile.name, format_bytes(memory)));
}

void Session::require_memory(double bytes, unsigned matrices) const {
  require_memory(bytes * matrices);
  const std::uint64_t most = device_.profile.max_allocation_bytes;
  if (bytes <= static_cast<double>(most)) return;
  throw Error(ErrorCode::out_of_memory, fmt::format("a matrix takes {:.3g} GiB, but {} allocates at most {} at once",
                                                    bytes * 0x1p-30, device_.profile.name, format_bytes(most)));
}

Buffer Session::make_buffer(std::span<const std::byte> content) const {
  const std::size_t bytes = std::max<std::size_t>(content.size(), 1);
  cl_int status = CL_SUCCESS;
  Buffer buffer(clCreateBuffer(engine_.context(), CL_MEM_READ_WRITE, bytes, nullptr, &status));
  check_opencl(status, fmt::format("clCreateBuffer of {} bytes", bytes));
  write(buffer.get(), content);
  return buffer;
}

// A blocking write ends when `content` may change, which is before a plan's own queue may read the buffer.
void Session::write(cl_mem buffer, std::span<const std::byte> content) const {
  if (content.empty()) return;
  check_opencl(clEnqueueWriteBuffer(queue(), buffer, CL_TRUE, 0, content.size(), content.data(), 0, nullptr, nullptr),
               "clEnqueueWriteBuffer");
  check_opencl(clFinish(queue()), "clFinish");
}

void Session::read(cl_mem buffer, std::span<std::byte> content) const {
  if (content.empty()) return;
  check_opencl(clEnqueueReadBuffer(queue(), buffer, CL_TRUE, 0, content.size(), content.data(), 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
}

}  // namespace tilewright::tool
