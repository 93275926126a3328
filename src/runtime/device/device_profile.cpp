#include <algorithm>
#include <cstdint>
#include <limits>

#include "runtime/device/driver_quirks.hpp"
#include "runtime/device/fitted_constants.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/device/private_memory.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/device.hpp"

namespace tilewright {
namespace {

// Queries of cl_nv_device_attribute_query, which CL/cl.h does not define.
constexpr cl_device_info compute_capability_major_nv = 0x4000;
constexpr cl_device_info compute_capability_minor_nv = 0x4001;

template <class T>
T query(cl_device_id device, cl_device_info what) {
  T value{};
  detail::check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::string query_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  detail::check(clGetDeviceInfo(device, what, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, '\0');
  detail::check(clGetDeviceInfo(device, what, size, text.data(), nullptr), "clGetDeviceInfo");
  return text.c_str();  // up to the NUL
}

std::string query_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  detail::check(clGetPlatformInfo(platform, what, 0, nullptr, &size), "clGetPlatformInfo");
  std::string text(size, '\0');
  detail::check(clGetPlatformInfo(platform, what, size, text.data(), nullptr), "clGetPlatformInfo");
  return text.c_str();
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The platform names the author of the driver. The device's vendor only made the chip.
Vendor identify_vendor(const DeviceProfile& profile) {
  const auto& platform = profile.platform_name;
  if (contains(platform, "Portable Computing Language")) return Vendor::pocl;
  if (contains(platform, "Oclgrind")) return Vendor::oclgrind;
  if (contains(platform, "rusticl") || contains(platform, "Clover")) return Vendor::mesa;
  if (contains(platform, "NVIDIA")) return Vendor::nvidia;
  if (contains(platform, "AMD")) return Vendor::amd;
  if (contains(platform, "Intel")) return Vendor::intel;
  if (contains(platform, "ARM")) return Vendor::arm;
  if (contains(platform, "QUALCOMM")) return Vendor::qualcomm;
  if (contains(platform, "Apple")) return Vendor::apple;
  return Vendor::other;
}

std::string identify_architecture(cl_device_id device, const DeviceProfile& profile) {
  if (profile.vendor == Vendor::nvidia && profile.has_extension("cl_nv_device_attribute_query"))
    return "sm_" + std::to_string(query<cl_uint>(device, compute_capability_major_nv)) +
           std::to_string(query<cl_uint>(device, compute_capability_minor_nv));
  if (profile.vendor == Vendor::amd && profile.name.starts_with("gfx"))
    return profile.name.substr(0, profile.name.find(':'));
  if (profile.vendor == Vendor::pocl) {  // "pthread-haswell-AMD EPYC", "cpu-skylake-avx512-Intel(R) Xeon(R)"
    const auto first = profile.name.find('-');
    // The processor's own name follows the last dash before the first blank.
    const auto last = profile.name.rfind('-', profile.name.find(' '));
    if (first != std::string::npos && last != std::string::npos && last > first)
      return profile.name.substr(first + 1, last - first - 1);
  }
  return {};
}

// Limits that no query reports.
void complete_limits(DeviceProfile& profile) {
  profile.private_memory_bytes = detail::private_memory_limit(profile);
  profile.aligned_buffers = detail::quirks_of(profile.vendor).aligned_buffers;
  profile.max_work_groups = detail::quirks_of(profile.vendor).max_work_groups;
}

DeviceType identify_type(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::gpu;
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return DeviceType::accelerator;
  if (type & CL_DEVICE_TYPE_CPU) return DeviceType::cpu;
  return DeviceType::other;
}

}  // namespace

std::string_view to_string(DeviceType type) {
  switch (type) {
    case DeviceType::cpu:
      return "CPU";
    case DeviceType::gpu:
      return "GPU";
    case DeviceType::accelerator:
      return "accelerator";
    case DeviceType::other:
      break;
  }
  return "other";
}

std::string_view to_string(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return "NVIDIA";
    case Vendor::amd:
      return "AMD";
    case Vendor::intel:
      return "Intel";
    case Vendor::arm:
      return "Arm";
    case Vendor::qualcomm:
      return "Qualcomm";
    case Vendor::apple:
      return "Apple";
    case Vendor::pocl:
      return "PoCL";
    case Vendor::mesa:
      return "Mesa";
    case Vendor::oclgrind:
      return "Oclgrind";
    case Vendor::other:
      break;
  }
  return "other";
}

bool DeviceProfile::has_extension(std::string_view extension) const {
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

DeviceProfile describe_device(cl_device_id device) {
  if (device == nullptr) throw Error(ErrorCode::null_object, "the device is null");
  detail::process_of_driver();
  const auto platform = query<cl_platform_id>(device, CL_DEVICE_PLATFORM);

  DeviceProfile profile;
  profile.platform_name = query_text(platform, CL_PLATFORM_NAME);
  profile.platform_version = query_text(platform, CL_PLATFORM_VERSION);
  profile.name = query_text(device, CL_DEVICE_NAME);
  profile.vendor_name = query_text(device, CL_DEVICE_VENDOR);
  profile.device_version = query_text(device, CL_DEVICE_VERSION);
  profile.opencl_c_version = query_text(device, CL_DEVICE_OPENCL_C_VERSION);
  profile.driver_version = query_text(device, CL_DRIVER_VERSION);
  profile.extensions = detail::split_words(query_text(device, CL_DEVICE_EXTENSIONS));

  profile.type = identify_type(query<cl_device_type>(device, CL_DEVICE_TYPE));
  profile.vendor = identify_vendor(profile);
  profile.architecture = identify_architecture(device, profile);

  profile.compute_units = query<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  profile.clock_mhz = query<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  profile.address_bits = query<cl_uint>(device, CL_DEVICE_ADDRESS_BITS);
  profile.global_memory_bytes = query<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  profile.max_allocation_bytes = query<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  profile.global_cache_bytes = query<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  profile.cache_line_bytes = query<cl_uint>(device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  profile.local_memory_bytes = static_cast<std::size_t>(query<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE));
  profile.local_memory_is_dedicated = query<cl_device_local_mem_type>(device, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
  profile.unified_memory = query<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;

  profile.max_work_group_size = query<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  std::vector<std::size_t> sizes(query<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  detail::check(
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes.size() * sizeof(std::size_t), sizes.data(), nullptr),
      "clGetDeviceInfo");
  std::copy_n(sizes.begin(), std::min<std::size_t>(3, sizes.size()), profile.max_work_item_sizes.begin());
  profile.native_vector_width_f32 = query<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  profile.native_vector_width_f64 = query<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);

  profile.fp64 = profile.has_extension("cl_khr_fp64");
  profile.fp16 = profile.has_extension("cl_khr_fp16");
  detail::expect_more_of_nvidia(profile);
  complete_limits(profile);
  profile.images = query<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  if (profile.images) {
    profile.image2d_max_width = query<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
    profile.image2d_max_height = query<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  }
  profile.wave_constants = detail::fitted_times(profile);
  return profile;
}

}  // namespace tilewright
