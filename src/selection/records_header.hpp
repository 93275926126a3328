// The first line of a file of records: the version, and whose records they are.
#pragma once

#include <string>
#include <string_view>

#include "selection/device_identity.hpp"

namespace tilewright::detail {

inline constexpr int records_version = 1;

struct RecordsHeader {
  DeviceIdentity identity;
  std::string family;
};

/// The line, without its end.
std::string header_line(const DeviceProfile& device);

/// The first line of a file; `name` is for messages. Throws Error(invalid_records) where it cannot be read.
RecordsHeader parse_header(std::string_view text, const std::string& name);

/// What stands at the beginning of a file.
enum class HeaderKind {
  none,     ///< nothing that this library or a newer one would have written
  other,    ///< the header of another version
  foreign,  ///< the header of another device's records
  right,
};
HeaderKind kind_of_header(std::string_view text, const DeviceIdentity& identity);

}  // namespace tilewright::detail
