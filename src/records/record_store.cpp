// The device's file of records: changed under a lock, a line at a time.
#include <algorithm>

#include "gemm/problem.hpp"
#include "records/file_lock.hpp"
#include "records/json_line.hpp"
#include "records/record_file.hpp"
#include "records/record_key.hpp"
#include "records/text_file.hpp"
#include "runtime/log.hpp"
#include "runtime/user_directory.hpp"
#include "tilewright/error.hpp"
#include "tilewright/records.hpp"

namespace tilewright {
namespace {

using namespace detail;
namespace fs = std::filesystem;

fs::path file_to_store_in(const DeviceProfile& device) {
  if (const auto path = records_file(device)) return behind_links(*path);
  throw Error(ErrorCode::invalid_records, "there is no directory for records, for " +
                                              why_untrusted(find_user_directory(user_data)) +
                                              ": set TILEWRIGHT_DATA_DIR");
}

fs::path lock_of(const fs::path& file) { return fs::path(file) += ".lock"; }

[[noreturn]] void refuse_other_version(const fs::path& file) {
  throw Error(ErrorCode::invalid_records,
              file.string() +
                  " was written by another version of Tilewright and stays as it is: name another "
                  "directory in TILEWRIGHT_DATA_DIR, or move the file away");
}

// The text of the file that new lines are added to, which has a header. The lock is held.
std::string text_to_change(const fs::path& file, const DeviceProfile& device) {
  std::string text = read_text(file).value_or("");
  if (text.empty()) return records_text(device, {});
  switch (kind_of_header(text, identity_of(device))) {
    case HeaderKind::right:
      return text;
    case HeaderKind::other:
      refuse_other_version(file);
    case HeaderKind::none:
    case HeaderKind::foreign:
      break;
  }
  const fs::path name = set_aside(file, ".broken");
  log(file.string() + " holds no records of " + device.name + "; it is " + name.string() + " now");
  return records_text(device, {});
}

// As it is stored. What could not be read again must not be written.
GemmRecord checked(const GemmRecord& record) {
  GemmRecord stored = record;
  try {
    stored.problem = normalized(record.problem);
    stored = record_from_json(parse_json_line(line_of(stored)));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::invalid_records, "a record of " + record.variant + " cannot be stored: " + error.what());
  }
  return stored;
}

}  // namespace

void update_records(const DeviceProfile& device, std::span<const GemmRecord> gone, std::span<const GemmRecord> added) {
  if (gone.empty() && added.empty()) return;
  std::set<std::string> lines, keys;
  std::vector<std::string> new_lines;
  for (const GemmRecord& record : gone) lines.insert(line_of(record));
  // The last of several with the same key counts.
  for (std::size_t i = added.size(); i > 0; --i) {
    const GemmRecord record = checked(added[i - 1]);
    if (keys.insert(key_of(record)).second) new_lines.push_back(line_of(record) + '\n');
  }
  const fs::path file = file_to_store_in(device);
  make_directories(file.parent_path().string());  // where that fails, so does locking
  const FileLock lock(lock_of(file));
  std::string text = without_lines(text_to_change(file, device), keys, lines);
  for (auto line = new_lines.rbegin(); line != new_lines.rend(); ++line) text += *line;
  if (text.size() > largest_records_file ||
      static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > most_lines)
    throw Error(ErrorCode::invalid_records, file.string() + " is full: `tilewright records clear` sets it aside");
  write_text(file, text);
}

void store_records(const DeviceProfile& device, std::span<const GemmRecord> records) {
  update_records(device, {}, records);
}

void check_records_storable(const DeviceProfile& device) {
  const fs::path file = file_to_store_in(device);
  make_directories(file.parent_path().string());
  const FileLock lock(lock_of(file));
  const auto text = read_text(file);
  if (text && kind_of_header(*text, identity_of(device)) == HeaderKind::other) refuse_other_version(file);
  check_writable(file);
}

std::optional<ClearedRecords> clear_records(const DeviceProfile& device) {
  const fs::path file = file_to_store_in(device);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return std::nullopt;
  const FileLock lock(lock_of(file));
  const auto text = read_text(file);
  if (!text) return std::nullopt;
  const HeaderKind kind = kind_of_header(*text, identity_of(device));
  if (kind == HeaderKind::other) refuse_other_version(file);
  if (kind != HeaderKind::right)
    throw Error(ErrorCode::invalid_records,
                file.string() + " holds no records of " + device.name + " and stays as it is");
  const auto ends = std::count(text->begin(), text->end(), '\n') + (text->ends_with('\n') ? 0 : 1);
  return ClearedRecords{file, set_aside(file, ".backup"), static_cast<std::size_t>(ends - 1)};
}

void write_records(const fs::path& file, const DeviceProfile& device, std::span<const GemmRecord> records) {
  write_text(file, records_text(device, records));
}

}  // namespace tilewright
