// Devices: their properties, the list of all, and the choice of one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

namespace detail {
struct WaveConstants;
}

enum class DeviceType { cpu, gpu, accelerator, other };
enum class Vendor { nvidia, amd, intel, arm, qualcomm, apple, pocl, mesa, oclgrind, other };

TILEWRIGHT_API std::string_view to_string(DeviceType type);
TILEWRIGHT_API std::string_view to_string(Vendor vendor);

/// Properties that a device reports: its identity, and every limit that kernels depend on. Engine::probe() finds
/// abilities that must be tested by running code.
struct DeviceProfile {
  std::string platform_name{};
  std::string platform_version{};
  std::string name{};
  std::string vendor_name{};
  std::string device_version{};
  std::string opencl_c_version{};
  std::string driver_version{};
  std::string architecture{};  ///< such as "sm_90", "gfx90a" or "haswell"; empty if unknown
  std::vector<std::string> extensions{};

  DeviceType type = DeviceType::other;
  Vendor vendor = Vendor::other;  ///< author of the driver, on which kernels depend

  unsigned compute_units = 1;
  unsigned clock_mhz = 0;
  unsigned address_bits = 64;
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t max_allocation_bytes = 0;
  std::uint64_t global_cache_bytes = 0;
  std::size_t cache_line_bytes = 0;
  std::size_t local_memory_bytes = 0;
  /// Limit of local arrays that a kernel declares, if it is known to exceed local_memory_bytes; otherwise 0.
  std::size_t static_local_memory_bytes = 0;
  bool local_memory_is_dedicated = false;  ///< false: local memory is emulated in global memory
  bool unified_memory = false;             ///< the device shares the host's memory
  /// Whether every buffer is aligned to whole vectors, including sub-buffers and CL_MEM_USE_HOST_PTR.
  bool aligned_buffers = false;
  /// Estimated limit of a kernel's private arrays in bytes, per work-item, or on a CPU per work-group. OpenCL has no
  /// query for it. A CPU keeps these arrays on the stacks of its threads. A GPU's driver reserves them for every
  /// work-item that the device can hold at once.
  std::size_t private_memory_bytes = std::numeric_limits<std::size_t>::max();

  std::size_t max_work_group_size = 1;
  std::array<std::size_t, 3> max_work_item_sizes{1, 1, 1};
  /// Limit of work-groups of one launch along each dimension. OpenCL has no query for it.
  std::array<std::size_t, 3> max_work_groups{std::numeric_limits<std::size_t>::max(),
                                             std::numeric_limits<std::size_t>::max(),
                                             std::numeric_limits<std::size_t>::max()};
  unsigned native_vector_width_f32 = 1;  ///< elements of a native vector
  unsigned native_vector_width_f64 = 0;  ///< 0: no double precision

  bool fp64 = false;
  bool fp16 = false;                    ///< cl_khr_fp16 is listed
  bool tensor_cores = false;            ///< expected; the probe of Ability::tensor_cores verifies it
  bool warpgroup_tensor_cores = false;  ///< expected; the probe of Ability::warpgroup_tensor_cores verifies it
  bool fp64_tensor_cores = false;       ///< expected; the probe of Ability::fp64_tensor_cores verifies it
  bool tensor_maps = false;             ///< expected; the probe of Ability::tensor_maps verifies it
  bool images = false;
  std::size_t image2d_max_width = 0;
  std::size_t image2d_max_height = 0;

  /// Constants of the model of time of products, if `tilewright tune` fitted them to this device; null: the library's.
  std::shared_ptr<const detail::WaveConstants> wave_constants{};

  /// Whether the device lists an OpenCL extension, such as "cl_khr_fp16".
  [[nodiscard]] TILEWRIGHT_API bool has_extension(std::string_view extension) const;
};

/// One device of the system. `platform` and `device` are the numbers of its index, such as 0 and 1 of "0:1".
struct Device {
  unsigned platform = 0;
  unsigned device = 0;
  cl_device_id id = nullptr;
  DeviceProfile profile{};

  /// Returns the index as text, such as "0:1".
  TILEWRIGHT_API std::string index() const;
};

/// Returns the properties of a device. Throws Error(null_object, device_lost, opencl_failure).
TILEWRIGHT_API DeviceProfile describe_device(cl_device_id device);

/// Returns every device, in the order of the ICD loader and clinfo.
/// A platform that fails is skipped, and the log callback receives the reason. Its error is thrown if no other platform
/// has a device. Throws Error(no_platform) if no OpenCL platform is installed.
TILEWRIGHT_API std::vector<Device> list_devices();

/// Returns the device that `wanted` names. If it is empty, the environment variable TILEWRIGHT_DEVICE names the device.
/// Without either, GPUs come before accelerators and CPUs, and more compute units before fewer.
/// A name is "platform:device", or a part of the device's, platform's or vendor's name in any case.
/// Throws Error(no_platform, no_device). Never falls back to a device that was not asked for.
TILEWRIGHT_API Device pick_device(std::string_view wanted = {});

}  // namespace tilewright
