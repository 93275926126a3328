// Options that select the devices which share a product.
#pragma once

#include <string>
#include <vector>

#include "options/cli_names.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::tool {

/// Options --devices, --copy-threads and --driver-threads.
struct GroupOptions {
  std::vector<std::string> devices;
  unsigned copy_threads = 0;    ///< 0: chosen automatically
  unsigned driver_threads = 0;  ///< 0: one per device

  void add_to(CLI::App& command);
  bool is_used() const { return !devices.empty(); }
  /// Returns the devices. Throws Error(no_device), and UsageError if a device cannot be divided as requested.
  DeviceGroup group() const;
  DeviceGroupOptions options() const;
  /// Throws UsageError if threads are given without devices, or if a number of parts is malformed or below 2.
  void check() const;
};

}  // namespace tilewright::tool
