// Which devices share out a product.
#pragma once

#include <string>
#include <vector>

#include "cli_names.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::tool {

/// "--devices", "--copy-threads" and "--driver-threads".
struct GroupOptions {
  std::vector<std::string> devices;
  unsigned copy_threads = 0;    ///< 0: as many as pay
  unsigned driver_threads = 0;  ///< the same

  void add_to(CLI::App& command);
  bool is_used() const { return !devices.empty(); }
  /// Throws Error(no_device), and UsageError where a device cannot be parted as asked.
  DeviceGroup group() const;
  DeviceGroupOptions options() const;
  /// Throws UsageError where threads are given without devices, or a number of parts is none.
  void check() const;
};

}  // namespace tilewright::tool
