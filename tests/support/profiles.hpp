#pragma once

#include "runtime/device/private_memory.hpp"
#include "tilewright/device.hpp"

namespace tilewright::test {

/// The profile of a typical current GPU, for tests without a device.
inline DeviceProfile typical_gpu() {
  DeviceProfile profile;
  profile.platform_name = profile.name = profile.vendor_name = "typical GPU";
  profile.extensions = {"cl_khr_fp64"};
  profile.type = DeviceType::gpu;
  profile.compute_units = 64;
  profile.global_memory_bytes = std::uint64_t{16} << 30;
  profile.max_allocation_bytes = std::uint64_t{4} << 30;
  profile.cache_line_bytes = 128;
  profile.local_memory_bytes = 48 << 10;
  profile.local_memory_is_dedicated = true;
  profile.private_memory_bytes = detail::private_memory_limit(profile);
  profile.max_work_group_size = 1024;
  profile.max_work_item_sizes = {1024, 1024, 64};
  profile.native_vector_width_f32 = profile.native_vector_width_f64 = 1;
  profile.fp64 = profile.images = true;
  profile.image2d_max_width = profile.image2d_max_height = 16384;
  return profile;
}

/// A profile that supports every variant.
inline DeviceProfile typical_nvidia_gpu() {
  DeviceProfile profile = typical_gpu();
  profile.vendor = Vendor::nvidia;
  profile.architecture = "sm_80";
  return profile;
}

/// An H100.
inline DeviceProfile typical_hopper() {
  DeviceProfile profile = typical_nvidia_gpu();
  profile.architecture = "sm_90";
  profile.compute_units = 132;
  profile.static_local_memory_bytes = 226 << 10;
  profile.fp64_tensor_cores = profile.tensor_cores = profile.warpgroup_tensor_cores = profile.tensor_maps = true;
  return profile;
}

/// A CPU with 8 floats per vector.
inline DeviceProfile typical_cpu() {
  DeviceProfile profile = typical_gpu();
  profile.platform_name = profile.name = profile.vendor_name = "typical CPU";
  profile.type = DeviceType::cpu;
  profile.compute_units = 4;
  profile.local_memory_is_dedicated = false;
  profile.private_memory_bytes = detail::private_memory_limit(profile);
  profile.unified_memory = true;
  profile.native_vector_width_f32 = 8;
  profile.native_vector_width_f64 = 4;
  return profile;
}

/// The minimum of OpenCL 1.2's embedded profile, with one work-item per group.
inline DeviceProfile smallest_device() {
  DeviceProfile profile = typical_gpu();
  profile.platform_name = profile.name = profile.vendor_name = "smallest device";
  profile.extensions.clear();
  profile.compute_units = 1;
  profile.local_memory_bytes = 1 << 10;
  profile.max_work_group_size = 1;
  profile.max_work_item_sizes = {1, 1, 1};
  profile.native_vector_width_f64 = 0;
  profile.fp64 = profile.images = false;
  profile.image2d_max_width = profile.image2d_max_height = 0;
  return profile;
}

}  // namespace tilewright::test
