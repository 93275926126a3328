// Changes of the device's file of records, under a lock.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "selection/record_file.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

/// Replaces the text of the device's file by the result of `change`, under the file's lock. Throws the errors of
/// store_records().
void change_records(const DeviceProfile& device, const std::function<std::string(std::string)>& change);

/// Returns a record as it would be read again. Throws Error(invalid_records) if it could not be read, so that it is
/// never written.
template <class Problem>
Record<Problem> as_stored(const Record<Problem>& record) {
  Record<Problem> stored = record;
  try {
    stored.problem = Operation<Problem>::normalized(record.problem);
    return record_from_json<Problem>(parse_json_line(line_of(stored)));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::invalid_records, "a record of " + record.variant + " cannot be stored: " + error.what());
  }
}

/// Removes records from the device's file and adds others; see the public update_records().
template <class Problem>
void update(const DeviceProfile& device, std::span<const Record<Problem>> gone,
            std::span<const Record<Problem>> added) {
  if (gone.empty() && added.empty()) return;
  std::set<std::string> lines, keys;
  std::vector<std::string> new_lines;
  for (const auto& record : gone) lines.insert(line_of(record));
  // The last of several records with one key counts.
  for (auto given = added.rbegin(); given != added.rend(); ++given) {
    const Record<Problem> record = as_stored(*given);
    if (keys.insert(key_of(record)).second) new_lines.push_back(line_of(record) + '\n');
  }
  std::reverse(new_lines.begin(), new_lines.end());
  change_records(device, [&](const std::string& text) {
    std::string changed = without_records<Problem>(text, keys, lines);
    for (const std::string& line : new_lines) changed += line;
    return changed;
  });
}

/// Returns the text of a file of records.
template <class Problem>
std::string records_text(const DeviceProfile& device, std::span<const Record<Problem>> records) {
  std::string text = header_line(device) + '\n';
  for (const auto& record : records) text += line_of(record) + '\n';
  return text;
}

}  // namespace tilewright::detail
