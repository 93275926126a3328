// The device of one process among several on a machine, as MPI starts them.
#pragma once

#include <cstddef>

#include "tilewright/device.hpp"

namespace tilewright::blas {

/// A device, and the processes of the machine that are expected to use it, this one included.
struct LocalDevice {
  Device device{};
  std::size_t processes = 1;
};

/// Chooses a device. Processes that MPI or a batch system started take equal devices in turn, by their rank on the
/// machine. TILEWRIGHT_DEVICE restricts the choice: a name to the devices that it matches, an index to one device.
/// Throws what pick_device() throws.
LocalDevice choose_device();

}  // namespace tilewright::blas
