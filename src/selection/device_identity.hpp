#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// What ties records to a device. The driver's version is not part of it: a new driver rarely changes what is best.
struct DeviceIdentity {
  std::string platform;
  std::string vendor;
  std::string device;
  std::uint64_t compute_units = 0;
  std::uint64_t local_memory_bytes = 0;

  friend bool operator==(const DeviceIdentity&, const DeviceIdentity&) = default;
};

DeviceIdentity identity_of(const DeviceProfile& device);

/// A file name without its ending: what people recognise, then a hash of the whole identity.
std::string file_stem(const DeviceIdentity& identity);

/// Devices that like the same configurations: GPUs of one architecture, CPUs with the same vector width under the same
/// platform ("PoCL-cpu-256-bit"). Empty where it cannot be told.
std::string device_family(const DeviceProfile& device);

}  // namespace tilewright::detail
