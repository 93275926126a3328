#include "runtime/program/binary_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <ctime>

#include "runtime/program/binary_files.hpp"
#include "runtime/system/atomic_file.hpp"

namespace tilewright::detail {
namespace {

constexpr std::time_t day_seconds = 86400;

// For people who look at the directory: which driver it belongs to.
std::string describe(const BinaryKey& key) {
  std::string text = std::string(environment_heading) + " They are made anew where they are missing.\n";
  for (const char* const name : {"platform_name", "platform_version", "device_name", "device_vendor", "device_version",
                                 "driver_version", "address_bits"})
    text += std::string(name) + ": " + field(key.fields, name) + '\n';
  return text;
}

std::string file_name(const BinaryKey& key) { return key.hash + std::string(binary_suffix); }

// True for one write in so many that a sixteenth of the limit is written between two looks at the directory, on
// average, by however many processes. The key's digest is as good as dice.
bool is_time_to_look(const BinaryKey& key, std::uint64_t bytes, std::uint64_t max_bytes) {
  std::uint32_t dice = 0;
  std::from_chars(key.hash.data(), key.hash.data() + 8, dice, 16);
  return 16.0 * static_cast<double>(bytes) > static_cast<double>(max_bytes) * (dice / 4294967296.0);
}

}  // namespace

std::string BinaryDirectory::why_unusable() {
  std::call_once(checked_, [&] { problem_ = why_untrusted(place_); });
  return problem_;
}

std::optional<OpenDirectory> BinaryDirectory::open(const BinaryKey& key) {
  if (!why_unusable().empty()) return {};
  return open_environment(place_.path, key.environment);
}

std::optional<std::string> BinaryDirectory::load(const BinaryKey& key) {
  const auto directory = open(key);
  if (!directory) return {};
  return read_file(directory->descriptor(), file_name(key), largest_container);
}

void BinaryDirectory::touch(const BinaryKey& key) {
  const auto directory = open(key);
  if (!directory) return;
  const std::string name = file_name(key);
  struct stat status {};
  if (fstatat(directory->descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      std::time(nullptr) - status.st_mtime > day_seconds)
    utimensat(directory->descriptor(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

std::optional<OpenDirectory> BinaryDirectory::open_to_write(const BinaryKey& key) {
  if (!why_unusable().empty()) return {};
  auto directory = make_environment(place_.path, key.environment);
  if (directory && faccessat(directory->descriptor(), ".", W_OK | X_OK, 0) != 0) return {};
  return directory;
}

bool BinaryDirectory::is_writable(const BinaryKey& key) { return open_to_write(key).has_value(); }

bool BinaryDirectory::store(const BinaryKey& key, std::string_view container) {
  if (container.size() > largest_container || container.size() > max_bytes_) return false;
  const auto directory = open_to_write(key);
  if (!directory) return false;
  const std::string description(environment_file);
  struct stat status {};
  if (fstatat(directory->descriptor(), description.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    write_file(directory->descriptor(), description, describe(key), Durability::process);
  if (!write_file(directory->descriptor(), file_name(key), container, Durability::process)) return false;
  if (is_time_to_look(key, container.size(), max_bytes_)) evict_binaries(place_.path, max_bytes_);
  return true;
}

void BinaryDirectory::remove(const BinaryKey& key) {
  if (const auto directory = open(key)) remove_binary(*directory, file_name(key));
}

}  // namespace tilewright::detail
