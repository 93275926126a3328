// What single drivers do that no query tells: one table of limits, faults and defaults.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "runtime/device/opencl.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

inline constexpr std::size_t any_number_of_groups = std::numeric_limits<std::size_t>::max();

/// The members' defaults are those of drivers without quirks. Reasons and probes stand in the table.
struct DriverQuirks {
  /// Every buffer and sub-buffer that a kernel sees begins at a multiple of the largest vector.
  bool aligned_buffers = false;
  /// Work-groups of one enqueue along each dimension.
  std::array<std::size_t, 3> max_work_groups{any_number_of_groups, any_number_of_groups, any_number_of_groups};
  /// Compiles inline PTX: worth probing for what that reaches.
  bool takes_ptx = false;
  /// Gives kernels more static local memory than it reports: worth probing.
  bool more_local_memory = false;
  /// Keeps compiled programs between processes itself, unless this environment variable is 0; null: it does not.
  const char* cache_variable = nullptr;
  /// Handing out a program's binary compiles it once more.
  bool costly_binaries = false;
  /// Programs made from binaries are of no use.
  bool needs_source = false;
  /// A child made by fork() cannot use it, not even for what is made there.
  bool dies_in_fork = false;
  /// Environment variables that change what it compiles.
  std::span<const char* const> compiling_variables{};
  /// Simulates a device: its speed says nothing of others.
  bool is_simulator = false;
};

const DriverQuirks& quirks_of(Vendor vendor);

/// PoCL 1.4 to 5.0 loads a kernel again for a grid that is wider than any before, and counts its users by the kernel
/// and the work-group alone: where a narrower grid of another thread runs meanwhile, the wrong count is lowered, and
/// below zero an assertion ends the process. 3.1 can be made to load the widest form first: for 2^64 work-groups, a
/// number that overflows to 0, it loads the kernel and runs nothing. Other versions do not load it, and PoCL's device
/// without threads
/// ("basic") would run the groups: never enqueue it there.
bool must_load_widest(const cl::Device& device);

/// NVIDIA's compute capability, 90 of "sm_90"; 0 where it is not known.
int nvidia_capability(const DeviceProfile& device);

}  // namespace tilewright::detail
