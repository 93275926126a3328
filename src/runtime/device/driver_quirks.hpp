// Driver behaviour that no query reports: one table of limits, faults and defaults.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "runtime/device/opencl.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

inline constexpr std::size_t any_number_of_groups = std::numeric_limits<std::size_t>::max();

/// The defaults describe a driver without quirks. The table in the source file gives reasons and names the probes.
struct DriverQuirks {
  /// Every buffer and sub-buffer that a kernel receives begins at a multiple of the largest vector's size.
  bool aligned_buffers = false;
  /// Limits on the work-groups of one enqueue, per dimension.
  std::array<std::size_t, 3> max_work_groups{any_number_of_groups, any_number_of_groups, any_number_of_groups};
  /// Compiles inline PTX, so abilities that need PTX are worth probing.
  bool takes_ptx = false;
  /// Gives kernels more static local memory than it reports, so the amount is worth probing.
  bool more_local_memory = false;
  /// After a command that failed, waiting for any later command of its queue fails.
  bool commands_fail_together = false;
  /// Environment variable that disables the driver's own cache of compiled programs if it is 0. Null: no such cache.
  const char* cache_variable = nullptr;
  /// Returning a program's binary compiles the program once more.
  bool costly_binaries = false;
  /// Programs must be built from source; those made from binaries are useless.
  bool needs_source = false;
  /// A child made by fork() cannot use the driver, not even for objects made in the child.
  bool dies_in_fork = false;
  /// Environment variables that change what the driver compiles.
  std::span<const char* const> compiling_variables{};
  /// Simulates a device, so its speed predicts nothing about other devices.
  bool is_simulator = false;
};

const DriverQuirks& quirks_of(Vendor vendor);

/// Whether the device needs the widest form of a kernel loaded first: PoCL 3.1 with threads.
///
/// PoCL 1.4 to 5.0 loads a kernel again for a grid that is wider than any before. It counts the users of a loaded
/// kernel by the kernel and the work-group alone. If another thread runs a narrower grid meanwhile, the wrong count is
/// lowered. Below zero, an assertion ends the process.
///
/// PoCL 3.1 loads the widest form and runs nothing for 2^64 work-groups, a number that overflows to 0. Other versions
/// do not load the kernel. PoCL's device without threads ("basic") would run the groups, so never enqueue it there.
bool must_load_widest(const cl::Device& device);

/// NVIDIA's compute capability, for example 90 for "sm_90"; 0 if unknown.
int nvidia_capability(const DeviceProfile& device);

/// Sets the abilities of NVIDIA's devices that no query reports, by their compute capability. Probes can confirm them.
void expect_more_of_nvidia(DeviceProfile& device);

}  // namespace tilewright::detail
