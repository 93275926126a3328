#include "selection/record_store.hpp"

#include <algorithm>

#include "runtime/system/file_lock.hpp"
#include "runtime/system/log.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/user_directory.hpp"
#include "tilewright/error.hpp"
#include "tilewright/records.hpp"

namespace tilewright {
namespace {

using namespace detail;
namespace fs = std::filesystem;

fs::path file_to_store_in(const DeviceProfile& device) {
  if (const auto path = records_file(device)) return resolve_links(*path);
  throw Error(ErrorCode::invalid_records,
              "there is no directory for records: " + why_untrusted(find_user_directory(user_data)) +
                  "; set TILEWRIGHT_DATA_DIR");
}

fs::path lock_of(const fs::path& file) { return fs::path(file) += ".lock"; }

[[noreturn]] void refuse_other_version(const fs::path& file) {
  throw Error(ErrorCode::invalid_records,
              file.string() +
                  " was written by another version of Tilewright and was left unchanged; set "
                  "TILEWRIGHT_DATA_DIR to another directory, or move the file away");
}

// Returns the text of the file that new lines are added to, which has a header. The caller must hold the lock.
std::string text_to_change(const fs::path& file, const DeviceProfile& device) {
  std::string text = read_text(file).value_or("");
  if (text.empty()) return header_line(device) + '\n';
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
  log(file.string() + " holds no records of " + device.name + "; its new name is '" + name.string() + "'");
  return header_line(device) + '\n';
}

}  // namespace

void detail::change_records(const DeviceProfile& device, const std::function<std::string(std::string)>& change) {
  const fs::path file = file_to_store_in(device);
  make_directories(file.parent_path().string());  // if this fails, locking fails too
  const FileLock lock(lock_of(file));
  const std::string text = change(text_to_change(file, device));
  if (text.size() > largest_records_file ||
      static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > max_lines)
    throw Error(ErrorCode::invalid_records, file.string() + " is full; set it aside with `tilewright records clear`");
  write_text(file, text);
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
                file.string() + " holds no records of " + device.name + " and was left unchanged");
  const auto ends = std::count(text->begin(), text->end(), '\n') + (text->ends_with('\n') ? 0 : 1);
  return ClearedRecords{file, set_aside(file, ".backup"), static_cast<std::size_t>(ends - 1)};
}

}  // namespace tilewright
