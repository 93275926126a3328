// The first line of a file of records: its version, and the device of the records.
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

/// Returns the header line, without the line break.
std::string header_line(const DeviceProfile& device);

/// Reads the first line of a file; `name` is for messages. Throws Error(invalid_records) if it cannot be read.
RecordsHeader parse_header(std::string_view text, const std::string& name);

/// The kind of header at the beginning of a file.
enum class HeaderKind {
  none,     ///< not a header of this library or a newer one
  other,    ///< the header of another version
  foreign,  ///< the header of another device's records
  right,
};
HeaderKind kind_of_header(std::string_view text, const DeviceIdentity& identity);

}  // namespace tilewright::detail
