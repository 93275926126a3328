#include "runtime/program_store.hpp"

#include <chrono>

namespace tilewright::detail {
namespace {

constexpr std::size_t log_tail = 4000;  // characters of a build log worth showing: the end names the error

std::string build_log(const cl::Program& program, const cl::Device& device) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program(), device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string log(size, '\0');
  if (clGetProgramBuildInfo(program(), device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS)
    return {};
  log = log.c_str();
  return log.size() > log_tail ? "[...]" + log.substr(log.size() - log_tail) : log;
}

cl::Program build(const cl::Context& context, const cl::Device& device, const ProgramRequest& request) {
  return translated([&] {
    cl::Program program(context, request.source);
    const cl_device_id id = device();
    const cl_int status = clBuildProgram(program(), 1, &id, request.options.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS) return program;
    if (status != CL_BUILD_PROGRAM_FAILURE && status != CL_INVALID_BUILD_OPTIONS)
      throw opencl_error(status, "clBuildProgram");
    throw Error(ErrorCode::build_failed,
                "the driver of " + device.getInfo<CL_DEVICE_NAME>() + " refused the program '" + request.name +
                    "' with " + opencl_status_name(status) + "\noptions: " + request.options +
                    "\nlog: " + build_log(program, device),
                status);
  });
}

}  // namespace

cl::Program ProgramStore::get(const cl::Context& context, const cl::Device& device, const ProgramRequest& request) {
  const std::string key = request.options + '\n' + request.source;
  std::promise<cl::Program> promise;
  {
    std::unique_lock lock(mutex_);
    if (const auto found = programs_.find(key); found != programs_.end()) {
      ++statistics_.reused;
      const auto program = found->second;
      lock.unlock();
      return program.get();
    }
    programs_.emplace(key, promise.get_future().share());
  }

  try {
    const auto start = std::chrono::steady_clock::now();
    auto program = build(context, device, request);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    promise.set_value(program);
    const std::lock_guard lock(mutex_);
    ++statistics_.compiled;
    statistics_.compile_seconds += elapsed.count();
    return program;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(key);
    throw;
  }
}

ProgramStatistics ProgramStore::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace tilewright::detail
