// How much memory a kernel's private arrays may take.
#pragma once

#include <cstddef>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// DeviceProfile::private_memory_bytes of a device, from its type, compute units and memory.
///
/// CPUs: the bytes of a whole work-group. A driver runs the work-items of a group one after another in one thread, with
/// the private arrays of all of them on its stack: 8 MB on most systems, but 2 MB under glibc if stacks have no limit.
/// A quarter of that is left for everything else; few estimates are too low by more.
///
/// Other devices: the bytes of one work-item. A driver reserves the private arrays of all work-items that the compute
/// units can hold at once, however few a launch has. The limit is a sixteenth of the device's memory, so that several
/// processes can share the device, or 20 KB per work-item if that is more.
std::size_t private_memory_limit(const DeviceProfile& profile);

}  // namespace tilewright::detail
