// The limit on the memory of a kernel's private arrays.
#pragma once

#include <cstddef>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Returns DeviceProfile::private_memory_bytes, computed from the device's type, compute units and memory.
///
/// CPUs: bytes per work-group. A driver runs the work-items of a group one after another in one thread, with the
/// private arrays of all of them on its stack. The stack has 8 MB on most systems, but 2 MB under glibc if stacks are
/// unlimited. A quarter of 2 MB is left for everything else; few estimates are too low by more.
///
/// Other devices: bytes per work-item. A driver reserves the private arrays of all work-items that the compute units
/// can hold at once, however few a launch has. The limit is a sixteenth of the device's memory, so that several
/// processes can share the device. It is at least 20 KB per work-item.
std::size_t private_memory_limit(const DeviceProfile& profile);

}  // namespace tilewright::detail
