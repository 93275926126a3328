// The text of a file of records: a header, then a line per record, of any operation.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "selection/record_json.hpp"
#include "selection/record_key.hpp"
#include "selection/records_header.hpp"

namespace tilewright::detail {

/// Lines that a file of records may have.
inline constexpr std::size_t max_lines = 100000;

/// Gives every line after the header that can be read to `use`, which throws where it is no record. Lines that are bad
/// are left out and told in `problems`; `name` is for messages.
void for_each_record(std::string_view text, const std::string& name,
                     const std::function<void(const nlohmann::json&)>& use, std::vector<std::string>& problems);

/// The text of a file without the lines that `is_gone` says; every other line stays as it is, whether it can be read or
/// not.
std::string without_lines(std::string_view text, const std::function<bool(const nlohmann::json&)>& is_gone);

/// An operation's records in a file as it was read. Lines of other operations are passed over.
template <class Problem>
struct RecordFile {
  RecordsHeader header;
  std::vector<Record<Problem>> records;
  std::vector<std::string> problems;
};

/// Reads the text of a file; `name` is for messages. Throws Error(invalid_records) where its header cannot be read.
template <class Problem>
RecordFile<Problem> parse_records(std::string_view text, const std::string& name) {
  RecordFile<Problem> file{parse_header(text, name), {}, {}};
  const auto use = [&](const nlohmann::json& line) {
    if (is_of<Problem>(line)) file.records.push_back(record_from_json<Problem>(line));
  };
  for_each_record(text, name, use, file.problems);
  return file;
}

/// The text of a file without the records of some keys (key_of()) and without those that read as some lines
/// (line_of()).
template <class Problem>
std::string without_records(std::string_view text, const std::set<std::string>& keys,
                            const std::set<std::string>& lines) {
  return without_lines(text, [&](const nlohmann::json& line) {
    if (!is_of<Problem>(line)) return false;
    const auto record = record_from_json<Problem>(line);
    return keys.contains(key_of(record)) || lines.contains(line_of(record));
  });
}

}  // namespace tilewright::detail
