// Records other than those of the user's file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Whether the environment disables records.
bool records_switched_off();

struct ShippedFile {
  std::string_view text;
  std::string name;
  std::string source;  ///< the source that its records state
};

/// Returns the shipped files for a device: its own first, then those of its family.
std::vector<ShippedFile> shipped_files(const DeviceProfile& device);

}  // namespace tilewright::detail
