#include "runtime/device/driver_quirks.hpp"

#include <charconv>
#include <cstdint>
#include <string>

namespace tilewright::detail {
namespace {

constexpr const char* pocl_compiling_variables[] = {"POCL_WORK_GROUP_METHOD", "POCL_EXTRA_BUILD_FLAGS"};

constexpr DriverQuirks none{};

constexpr DriverQuirks nvidia{
    // The driver copies host memory, and sub-buffers begin at multiples of 512 bytes. It compiles vload to single
    // loads, so kernels read vectors through casts.
    .aligned_buffers = true,
    // The limits of CUDA's compute capabilities from 3.0 on, for the second and third dimension. Driver 580 was seen to
    // accept more.
    .max_work_groups = {std::numeric_limits<std::int32_t>::max(), 65535, 65535},
    .takes_ptx = true,  // probed: Ability::inline_ptx, tensor_cores, warpgroup_tensor_cores,
                        // fp64_tensor_cores, tensor_maps
    // Static arrays may use as much local memory as a CUDA work-group can. Probed: Ability::big_local_memory. Other
    // drivers enforce the limit that they report; exceeding it can cause a crash.
    .more_local_memory = true,
    // A kernel that accesses foreign memory ends its context: -9999 from the wait for a kernel after it.
    .commands_fail_together = true,
};

constexpr DriverQuirks pocl{
    .cache_variable = "POCL_KERNEL_CACHE",
    .costly_binaries = true,  // 0.1 to 1.3 s per program
    .dies_in_fork = true,     // waits forever for its threads
    .compiling_variables = pocl_compiling_variables,
};

constexpr DriverQuirks oclgrind{
    .needs_source = true,  // a binary would lose the source lines in its reports
    .is_simulator = true,
};

}  // namespace

const DriverQuirks& quirks_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return nvidia;
    case Vendor::pocl:
      return pocl;
    case Vendor::oclgrind:
      return oclgrind;
    case Vendor::amd:
    case Vendor::intel:
    case Vendor::arm:
    case Vendor::qualcomm:
    case Vendor::apple:
    case Vendor::mesa:
    case Vendor::other:
      return none;
  }
  return none;
}

bool must_load_widest(const cl::Device& device) {
  if (!device.getInfo<CL_DEVICE_NAME>().starts_with("pthread-")) return false;
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  const std::string version = device.getInfo<CL_DRIVER_VERSION>();
  return platform.getInfo<CL_PLATFORM_NAME>() == "Portable Computing Language" &&
         (version == "3.1" || version.starts_with("3.1+"));
}

int nvidia_capability(const DeviceProfile& device) {
  int capability = 0;
  const std::string& architecture = device.architecture;
  if (architecture.starts_with("sm_"))
    std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), capability);
  return capability;
}

void expect_more_of_nvidia(DeviceProfile& device) {
  const int major = nvidia_capability(device) / 10;
  const bool sm_90 = major == 9;
  device.tensor_cores = major >= 9;
  device.warpgroup_tensor_cores = device.tensor_maps = sm_90;
  device.fp64_tensor_cores = device.fp64 && sm_90;
  if (sm_90) device.static_local_memory_bytes = 226 << 10;  // of 228 KB, measured with driver 580
}

}  // namespace tilewright::detail
