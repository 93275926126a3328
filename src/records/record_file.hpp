#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "records/record_json.hpp"

namespace tilewright::detail {

/// Lines that a file of records may have.
inline constexpr std::size_t most_lines = 100000;

/// A file of records as it was read. Bad lines are left out and reported, the others count.
struct RecordFile {
  RecordsHeader header;
  std::vector<GemmRecord> records;
  std::vector<std::string> problems;
};

/// The first line of a file; `name` is for messages. Throws Error(invalid_records) where it cannot be read.
RecordsHeader parse_header(std::string_view text, const std::string& name);

/// Reads the text of a file; `name` is for messages. Throws Error(invalid_records) where its header cannot be read.
RecordFile parse_records(std::string_view text, const std::string& name);

/// What stands at the beginning of a file.
enum class HeaderKind {
  none,     ///< nothing that this library or a newer one would have written
  other,    ///< the header of another version
  foreign,  ///< the header of another device's records
  right,
};
HeaderKind kind_of_header(std::string_view text, const DeviceIdentity& identity);

/// The text of a new file.
std::string records_text(const DeviceProfile& device, std::span<const GemmRecord> records);

/// A line of a file, without its end.
std::string line_of(const GemmRecord& record);

/// The text of a file without the records of some keys (key_of()) and without those that read as some lines
/// (line_of()); every other line stays as it is, whether it can be read or not.
std::string without_lines(std::string_view text, const std::set<std::string>& keys, const std::set<std::string>& lines);

}  // namespace tilewright::detail
