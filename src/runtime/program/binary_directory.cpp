#include "runtime/program/binary_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>

#include "runtime/program/binary_files.hpp"
#include "runtime/system/atomic_file.hpp"
#include "runtime/system/error_text.hpp"

namespace tilewright::detail {
namespace {

constexpr std::time_t day_seconds = 86400;

// A description for people who look at the directory: the driver that it belongs to.
std::string describe(const BinaryKey& key) {
  std::string text = std::string(environment_heading) + " Missing ones are compiled again.\n";
  for (const char* const name : {"platform_name", "platform_version", "device_name", "device_vendor", "device_version",
                                 "driver_version", "address_bits"})
    text += std::string(name) + ": " + field(key.fields, name) + '\n';
  return text;
}

std::string file_name(const BinaryKey& key) { return key.hash + std::string(binary_suffix); }

// True at random. On average, all processes together write a sixteenth of the limit between two looks at the directory.
// The key's digest serves as the random number.
bool is_eviction_due(const BinaryKey& key, std::uint64_t bytes, std::uint64_t max_bytes) {
  std::uint32_t dice = 0;
  std::from_chars(key.hash.data(), key.hash.data() + 8, dice, 16);
  return 16.0 * static_cast<double>(bytes) > static_cast<double>(max_bytes) * (dice / 4294967296.0);
}

// The system's reason for the last failed call; empty if there is none. EEXIST is left over from mkdir().
std::string cause() { return errno == 0 || errno == EEXIST ? "" : ": " + error_text(errno); }

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

std::string BinaryDirectory::why_unwritable(const BinaryKey& key) {
  if (std::string problem = why_unusable(); !problem.empty()) return problem;
  errno = 0;
  return open_to_write(key) ? "" : place_.path + " cannot be written" + cause();
}

std::string BinaryDirectory::store(const BinaryKey& key, std::string_view container) {
  if (const auto most = std::min(largest_container, max_bytes_); container.size() > most)
    return "it has " + std::to_string(container.size()) + " bytes; at most " + std::to_string(most) + " are allowed";
  errno = 0;
  const auto directory = open_to_write(key);
  if (!directory) return place_.path + " cannot be written" + cause();
  const std::string description(environment_file);
  struct stat status {};
  if (fstatat(directory->descriptor(), description.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    write_file(directory->descriptor(), description, describe(key), Durability::process);
  errno = 0;
  if (!write_file(directory->descriptor(), file_name(key), container, Durability::process))
    return "writing to " + place_.path + " failed" + cause();
  if (is_eviction_due(key, container.size(), max_bytes_)) evict_binaries(place_.path, max_bytes_);
  return {};
}

void BinaryDirectory::remove(const BinaryKey& key) {
  if (const auto directory = open(key)) remove_binary(*directory, file_name(key));
}

}  // namespace tilewright::detail
