#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "records/record_json.hpp"

namespace tilewright::detail {

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

/// The text of a file.
std::string records_text(const DeviceProfile& device, std::span<const GemmRecord> records);

}  // namespace tilewright::detail
