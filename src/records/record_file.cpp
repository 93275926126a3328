#include "records/record_file.hpp"

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

RecordsHeader parse_header(std::string_view text, const std::string& name) {
  try {
    return header_from_json(nlohmann::json::parse(next_line(text)));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::invalid_records, name + " is not a file of records: " + error.what());
  }
}

RecordFile parse_records(std::string_view text, const std::string& name) {
  RecordFile file{.header = parse_header(text, name), .records = {}, .problems = {}};
  next_line(text);
  for (std::size_t number = 2; !text.empty(); ++number) {
    const std::string_view line = next_line(text);
    if (line.empty()) continue;
    try {
      file.records.push_back(record_from_json(nlohmann::json::parse(line)));
    } catch (const std::exception& error) {
      file.problems.push_back(name + ", line " + std::to_string(number) + ": " + error.what());
    }
  }
  return file;
}

std::string records_text(const DeviceProfile& device, std::span<const GemmRecord> records) {
  std::string text = header_json(identity_of(device), device_family(device)).dump() + '\n';
  for (const GemmRecord& record : records) text += to_json(record).dump() + '\n';
  return text;
}

}  // namespace tilewright::detail
