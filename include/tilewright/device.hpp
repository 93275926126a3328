#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

enum class DeviceType { cpu, gpu, accelerator, other };
enum class Vendor { nvidia, amd, intel, arm, qualcomm, apple, pocl, mesa, oclgrind, other };

TILEWRIGHT_API std::string_view to_string(DeviceType type);
TILEWRIGHT_API std::string_view to_string(Vendor vendor);

/// What a device says of itself: identity, and every limit that a kernel's constraints need.
/// What must be found out by building and running is Engine::probe().
struct DeviceProfile {
  std::string platform_name{};
  std::string platform_version{};
  std::string name{};
  std::string vendor_name{};
  std::string device_version{};
  std::string opencl_c_version{};
  std::string driver_version{};
  std::string architecture{};  ///< "sm_90", "gfx90a", "haswell", ...; empty where it cannot be told
  std::vector<std::string> extensions{};

  DeviceType type = DeviceType::other;
  Vendor vendor = Vendor::other;  ///< who wrote the driver, which is what kernels depend on

  unsigned compute_units = 1;
  unsigned clock_mhz = 0;
  unsigned address_bits = 64;
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t max_allocation_bytes = 0;
  std::uint64_t global_cache_bytes = 0;
  std::size_t cache_line_bytes = 0;
  std::size_t local_memory_bytes = 0;
  /// What local arrays declared in a kernel may take, where that is known to be more than local_memory_bytes, else 0.
  std::size_t static_local_memory_bytes = 0;
  bool local_memory_is_dedicated = false;  ///< false: local memory is emulated in global memory
  bool unified_memory = false;             ///< the device shares the host's memory
  /// Whether every buffer begins at a whole vector, those of host memory (CL_MEM_USE_HOST_PTR) and parts of others too.
  bool aligned_buffers = false;
  /// Bytes that a kernel's private arrays may take: those of one work-item, or on a CPU those of a whole work-group. An
  /// estimate, because OpenCL has no query for it: a CPU's threads keep these arrays on their stacks, and a GPU's
  /// driver reserves them for every work-item that the device can hold at once.
  std::size_t private_memory_bytes = std::numeric_limits<std::size_t>::max();

  std::size_t max_work_group_size = 1;
  std::array<std::size_t, 3> max_work_item_sizes{1, 1, 1};
  /// Work-groups of one launch along each dimension; no query tells.
  std::array<std::size_t, 3> max_work_groups{std::numeric_limits<std::size_t>::max(),
                                             std::numeric_limits<std::size_t>::max(),
                                             std::numeric_limits<std::size_t>::max()};
  unsigned native_vector_width_f32 = 1;  ///< elements of a native vector
  unsigned native_vector_width_f64 = 0;  ///< 0: no double precision

  bool fp64 = false;
  bool fp16 = false;                    ///< cl_khr_fp16 is listed
  bool tensor_cores = false;            ///< expected; Ability::tensor_cores finds out
  bool warpgroup_tensor_cores = false;  ///< expected; Ability::warpgroup_tensor_cores finds out
  bool fp64_tensor_cores = false;       ///< expected; Ability::fp64_tensor_cores finds out
  bool images = false;
  std::size_t image2d_max_width = 0;
  std::size_t image2d_max_height = 0;

  TILEWRIGHT_API bool has_extension(std::string_view extension) const;
};

/// One device of the system; `platform` and `device` are the two numbers of its "platform:device" index.
struct Device {
  unsigned platform = 0;
  unsigned device = 0;
  cl_device_id id = nullptr;
  DeviceProfile profile{};

  /// "0:1"
  TILEWRIGHT_API std::string index() const;
};

/// Asks a device for its profile. Throws Error(null_object, device_lost, opencl_failure).
TILEWRIGHT_API DeviceProfile describe_device(cl_device_id device);

/// Every device in the ICD loader's order, which is also clinfo's; none where the platforms have none.
/// A platform that fails is left out, and the log callback told why; its error is thrown where no other has a device.
/// Throws Error(no_platform) where no OpenCL platform is installed.
TILEWRIGHT_API std::vector<Device> list_devices();

/// Picks a device: by `wanted`, else by the environment variable TILEWRIGHT_DEVICE, else the best one there
/// (a GPU before an accelerator before a CPU, then the one with more compute units).
/// `wanted` is "platform:device", or a part of the device's, platform's or vendor's name in any case.
/// Throws Error(no_platform, no_device); never falls back to a device that was not asked for.
TILEWRIGHT_API Device pick_device(std::string_view wanted = {});

}  // namespace tilewright
