#include "runtime/binary_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <ctime>

#include "runtime/atomic_file.hpp"
#include "runtime/binary_files.hpp"

namespace tilewright::detail {
namespace {

constexpr std::time_t day_seconds = 86400;

// For people who look at the directory: which driver it belongs to.
std::string describe(const BinaryKey& key) {
  std::string text = "# Program binaries of Tilewright for this driver. They are made anew where they are missing.\n";
  for (const char* const name : {"platform_name", "platform_version", "device_name", "device_vendor", "device_version",
                                 "driver_version", "address_bits"})
    text += std::string(name) + ": " + field(key.fields, name) + '\n';
  return text;
}

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

std::string BinaryDirectory::directory_of(const BinaryKey& key) const {
  return environment_directory(place_.path, key.environment);
}

std::string BinaryDirectory::file_of(const BinaryKey& key) const {
  return directory_of(key) + '/' + key.hash + std::string(binary_suffix);
}

std::optional<std::string> BinaryDirectory::load(const BinaryKey& key) {
  if (!why_unusable().empty()) return {};
  return read_file(file_of(key), largest_container);
}

void BinaryDirectory::touch(const BinaryKey& key) {
  const std::string path = file_of(key);
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 && std::time(nullptr) - status.st_mtime > day_seconds)
    utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

bool BinaryDirectory::is_writable(const BinaryKey& key) {
  if (!why_unusable().empty()) return false;
  const std::string directory = directory_of(key);
  return make_directories(directory) && access(directory.c_str(), W_OK | X_OK) == 0;
}

bool BinaryDirectory::store(const BinaryKey& key, std::string_view container) {
  if (container.size() > largest_container || container.size() > max_bytes_ || !is_writable(key)) return false;
  const std::string description = directory_of(key) + '/' + std::string(environment_file);
  if (access(description.c_str(), F_OK) != 0) write_file(description, describe(key), Durability::process);
  if (!write_file(file_of(key), container, Durability::process)) return false;
  if (is_time_to_look(key, container.size(), max_bytes_)) evict_binaries(place_.path, max_bytes_);
  return true;
}

void BinaryDirectory::remove(const BinaryKey& key) {
  if (why_unusable().empty()) unlink(file_of(key).c_str());
}

}  // namespace tilewright::detail
