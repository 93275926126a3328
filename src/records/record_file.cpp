#include "records/record_file.hpp"

#include <optional>

#include "records/json_line.hpp"
#include "records/record_key.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<GemmRecord> record_in(std::string_view line) {
  try {
    return record_from_json(parse_json_line(line));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

RecordsHeader parse_header(std::string_view text, const std::string& name) {
  try {
    return header_from_json(parse_json_line(next_line(text)));
  } catch (const OtherVersion& error) {
    throw Error(ErrorCode::invalid_records, name + " was written by another version of Tilewright: " + error.what());
  } catch (const std::exception& error) {
    throw Error(ErrorCode::invalid_records, name + " is not a file of records: " + printable(error.what()));
  }
}

RecordFile parse_records(std::string_view text, const std::string& name) {
  RecordFile file{.header = parse_header(text, name), .records = {}, .problems = {}};
  next_line(text);
  for (std::size_t number = 2; !text.empty(); ++number) {
    if (number > most_lines) {
      file.problems.push_back(name + " has more than " + std::to_string(most_lines) + " lines; the rest is not read");
      break;
    }
    const std::string_view line = next_line(text);
    if (line.empty()) continue;
    try {
      file.records.push_back(record_from_json(parse_json_line(line)));
    } catch (const std::exception& error) {
      file.problems.push_back(name + ", line " + std::to_string(number) + ": " + printable(error.what()));
    }
  }
  return file;
}

HeaderKind kind_of_header(std::string_view text, const DeviceIdentity& identity) {
  try {
    return header_from_json(parse_json_line(next_line(text))).identity == identity ? HeaderKind::right
                                                                                   : HeaderKind::foreign;
  } catch (const OtherVersion&) {
    return HeaderKind::other;
  } catch (const std::exception&) {
    return HeaderKind::none;
  }
}

std::string line_of(const GemmRecord& record) { return to_json_line(to_json(record)); }

std::string records_text(const DeviceProfile& device, std::span<const GemmRecord> records) {
  std::string text = to_json_line(header_json(identity_of(device), device_family(device))) + '\n';
  for (const GemmRecord& record : records) text += line_of(record) + '\n';
  return text;
}

std::string without_lines(std::string_view text, const std::set<std::string>& keys,
                          const std::set<std::string>& lines) {
  std::string result(next_line(text));
  result += '\n';
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const auto record = record_in(line);
    if (record && (keys.contains(key_of(*record)) || lines.contains(line_of(*record)))) continue;
    result += line;
    result += '\n';
  }
  return result;
}

}  // namespace tilewright::detail
