// The text of a file of records: a header, then one line per record of any operation.
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

/// Limit on the lines of a file of records.
inline constexpr std::size_t max_lines = 100000;

/// Passes every readable line after the header to `use`, which throws if the line is not a record. Skips bad lines and
/// reports them in `problems`; `name` is for messages.
void for_each_record(std::string_view text, const std::string& name,
                     const std::function<void(const nlohmann::json&)>& use, std::vector<std::string>& problems);

/// Returns the text of a file without the lines for which `is_gone` returns true. All other lines stay unchanged, even
/// if they cannot be read.
std::string without_lines(std::string_view text, const std::function<bool(const nlohmann::json&)>& is_gone);

/// The records of one operation in a file. Lines of other operations are skipped.
template <class Problem>
struct RecordFile {
  RecordsHeader header;
  std::vector<Record<Problem>> records;
  std::vector<std::string> problems;
};

/// Reads the text of a file; `name` is for messages. Throws Error(invalid_records) if its header cannot be read.
template <class Problem>
RecordFile<Problem> parse_records(std::string_view text, const std::string& name) {
  RecordFile<Problem> file{parse_header(text, name), {}, {}};
  const auto use = [&](const nlohmann::json& line) {
    if (is_of<Problem>(line)) file.records.push_back(record_from_json<Problem>(line));
  };
  for_each_record(text, name, use, file.problems);
  return file;
}

/// Returns the text of a file without two groups of records: those with the given keys (key_of()), and those equal to
/// the given lines (line_of()).
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
