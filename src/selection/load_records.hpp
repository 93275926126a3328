// Reads an operation's records for a device; see tilewright/records.hpp.
#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "runtime/system/text_file.hpp"
#include "selection/record_file.hpp"
#include "selection/record_places.hpp"
#include "selection/usable_configurations.hpp"
#include "tilewright/error.hpp"
#include "tilewright/records.hpp"

namespace tilewright::detail {

/// Keeps only some of the messages for a badly damaged file.
void shorten(std::vector<std::string>& problems);

/// Keeps the records that the device can run. The rules are checked again for every problem that a record is used for.
template <class Problem>
Records<Problem> usable(RecordFile<Problem> file, const DeviceProfile& device, const std::string& source) {
  Records<Problem> set{{}, std::move(file.problems)};
  const bool same_device = file.header.identity == identity_of(device);
  for (auto& record : file.records) {
    const Variant<Problem>& variant = find_variant<Problem>(record.variant);
    std::string why = why_unsupported(variant, record.problem, device);
    if (why.empty()) why = violation(variant, values_of(variant, record.configuration), record.problem, device);
    if (why.empty()) {
      record.source = source;
      record.same_device = record.same_device && same_device;
      set.records.push_back(std::move(record));
    } else {
      set.problems.push_back(source + ": " + record.variant + " with " + to_string(record.configuration) +
                             " does not fit the device: " + why);
    }
  }
  shorten(set.problems);
  return set;
}

/// Keeps the last of several records with one key, like storing them would.
template <class Problem>
void drop_repeated(std::vector<Record<Problem>>& records) {
  std::set<std::string> keys;
  std::vector<Record<Problem>> kept;
  for (auto record = records.rbegin(); record != records.rend(); ++record)
    if (keys.insert(key_of(*record)).second) kept.push_back(std::move(*record));
  records.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

template <class Problem>
Records<Problem> users_records(const DeviceProfile& device) {
  const auto path = records_file(device);
  if (!path) return {};
  try {
    const auto text = read_text(*path);
    if (!text || text->empty()) return {};
    RecordFile<Problem> file = parse_records<Problem>(*text, path->string());
    if (file.header.identity != identity_of(device))
      return {{}, {path->string() + " holds records of another device, " + file.header.identity.device}};
    Records<Problem> set = usable(std::move(file), device, path->string());
    drop_repeated(set.records);
    return set;
  } catch (const std::exception& error) {
    return {{}, {error.what()}};
  }
}

// Returns the records of the first file that has any for the operation.
template <class Problem>
Records<Problem> shipped_records(const DeviceProfile& device) {
  Records<Problem> result;
  for (const ShippedFile& shipped : shipped_files(device)) {
    Records<Problem> set = usable(parse_records<Problem>(shipped.text, shipped.name), device, shipped.source);
    result.problems.insert(result.problems.end(), set.problems.begin(), set.problems.end());
    result.records = std::move(set.records);
    if (!result.records.empty()) break;
  }
  return result;
}

/// Reads the records of load_records(), even if the environment disables records: for commands that carry them.
template <class Problem>
Records<Problem> load_stored(const DeviceProfile& device) {
  Records<Problem> all = users_records<Problem>(device);
  std::set<std::string> users;
  for (const auto& record : all.records) users.insert(key_of(record));
  Records<Problem> shipped = shipped_records<Problem>(device);
  for (auto& record : shipped.records)
    if (users.empty() || !users.contains(key_of(record))) all.records.push_back(std::move(record));
  std::move(shipped.problems.begin(), shipped.problems.end(), std::back_inserter(all.problems));
  return all;
}

template <class Problem>
Records<Problem> load(const DeviceProfile& device) {
  return records_switched_off() ? Records<Problem>{} : load_stored<Problem>(device);
}

template <class Problem>
Records<Problem> read(const std::filesystem::path& file, const DeviceProfile& device) {
  const auto text = read_text(file);
  if (!text) throw Error(ErrorCode::invalid_records, "there is no file " + file.string());
  RecordFile<Problem> found = parse_records<Problem>(*text, file.string());
  if (found.header.identity != identity_of(device))
    throw Error(ErrorCode::invalid_records, file.string() + " holds records of " + found.header.identity.device +
                                                " with " + std::to_string(found.header.identity.compute_units) +
                                                " compute units, not of " + device.name);
  return usable(std::move(found), device, file.string());
}

}  // namespace tilewright::detail
