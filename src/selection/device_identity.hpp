// The identity of a device in files of records.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Identifies the device of records. The driver's version is not part of it: a new driver rarely changes what is best.
struct DeviceIdentity {
  std::string platform;
  std::string vendor;
  std::string device;
  std::uint64_t compute_units = 0;
  std::uint64_t local_memory_bytes = 0;

  friend bool operator==(const DeviceIdentity&, const DeviceIdentity&) = default;
};

DeviceIdentity identity_of(const DeviceProfile& device);

/// Returns a file name without its extension: a readable part, then a hash of the whole identity.
std::string file_stem(const DeviceIdentity& identity);

/// Returns the family of a device: devices that perform best with the same configurations. GPUs of one architecture
/// form a family, and so do CPUs with one vector width under one platform ("PoCL-cpu-256-bit"). Empty if unknown.
std::string device_family(const DeviceProfile& device);

}  // namespace tilewright::detail
