#include "tilewright/device.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <tuple>

#include "runtime/device/opencl.hpp"
#include "runtime/device/pocl_cache.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/process.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright {
namespace {

std::vector<cl_platform_id> platforms() {
  detail::process_of_driver();
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(0, nullptr, &count);
  if (status != CL_SUCCESS) {
    const Error error = detail::opencl_error(status, "clGetPlatformIDs");
    if (error.code() == ErrorCode::no_platform) return {};
    throw error;
  }
  std::vector<cl_platform_id> result(count);
  if (count > 0) detail::check(clGetPlatformIDs(count, result.data(), nullptr), "clGetPlatformIDs");
  return result;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (status == CL_DEVICE_NOT_FOUND) return {};
  detail::check(status, "clGetDeviceIDs");
  std::vector<cl_device_id> result(count);
  if (count > 0)
    detail::check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, result.data(), nullptr), "clGetDeviceIDs");
  return result;
}

bool matches(const Device& device, const std::string& wanted) {
  const std::string part = detail::lower_case(wanted);
  for (const std::string* name : {&device.profile.name, &device.profile.platform_name, &device.profile.vendor_name})
    if (detail::lower_case(*name).find(part) != std::string::npos) return true;
  return false;
}

bool is_index(std::string_view text) {
  return text.find(':') != std::string_view::npos && text.find_first_not_of("0123456789:") == std::string_view::npos;
}

bool better(const Device& left, const Device& right) {
  const auto rank = [](const Device& device) {
    const auto& profile = device.profile;
    const int type = profile.type == DeviceType::gpu ? 2 : profile.type == DeviceType::accelerator ? 1 : 0;
    return std::tuple(type, profile.compute_units);
  };
  return rank(left) > rank(right);
}

bool is_pocl(cl_platform_id platform) {
  std::array<char, 64> name{};
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
  return std::string_view(name.data()) == "Portable Computing Language";
}

Error no_device() {
  const auto found = platforms();
  const bool has_pocl = std::any_of(found.begin(), found.end(), is_pocl);
  const std::string problem = has_pocl ? detail::pocl_cache_problem() : "";
  return {ErrorCode::no_device,
          "the installed OpenCL platforms have no device; " +
              (problem.empty() ? "install the driver of your GPU, or PoCL to compute on the CPU (on Debian and Ubuntu: "
                                 "apt install pocl-opencl-icd; for Python: pip install tilewright[intel])"
                               : problem)};
}

}  // namespace

std::string Device::index() const { return std::to_string(platform) + ':' + std::to_string(device); }

std::vector<Device> list_devices() {
  const auto found = platforms();
  if (found.empty())
    throw Error(ErrorCode::no_platform,
                "no OpenCL platform is installed; install your GPU's driver, or PoCL to compute on the CPU "
                "(on Debian and Ubuntu: apt install pocl-opencl-icd; for Python: pip install tilewright[intel])");
  std::vector<Device> result;
  std::exception_ptr failure;
  for (unsigned p = 0; p < found.size(); ++p) {
    unsigned d = 0;
    // A driver that fails, for example because its card is gone, must not hide the devices of other drivers.
    try {
      for (const auto id : devices_of(found[p])) result.push_back({p, d++, id, describe_device(id)});
    } catch (const Error& error) {
      failure = std::current_exception();
      detail::log("OpenCL platform " + std::to_string(p) + " is skipped: " + error.what());
    }
  }
  if (result.empty() && failure) std::rethrow_exception(failure);
  return result;
}

Device pick_device(std::string_view wanted) {
  std::string pattern(wanted);
  std::string origin = "requested by the caller";
  if (pattern.empty()) {
    pattern = detail::trusted_environment("TILEWRIGHT_DEVICE");
    origin = "set in TILEWRIGHT_DEVICE";
  }

  auto devices = list_devices();
  if (devices.empty()) throw no_device();
  if (pattern.empty()) {
    std::stable_sort(devices.begin(), devices.end(), better);
    return devices.front();
  }

  std::string there;
  for (const auto& device : devices) {
    if (is_index(pattern) ? device.index() == pattern : matches(device, pattern)) return device;
    there += "\n  " + device.index() + "  " + device.profile.name;
  }
  throw Error(ErrorCode::no_device,
              "no device matches '" + pattern + "' (" + origin + "); the available devices are:" + there);
}

}  // namespace tilewright
