#include "runtime/system/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <ctime>
#include <new>

#include "runtime/system/descriptor.hpp"
#include "runtime/system/write_all.hpp"

namespace tilewright::detail {
namespace {

constexpr std::string_view temporary_mark = ".tmp-";
constexpr std::string_view temporary_letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t temporary_length = 6;  // letters after the mark

// Differs between calls and processes as far as possible. The caller tries again if the name is taken.
std::string temporary_end() {
  static std::atomic<std::uint64_t> calls{0};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  std::uint64_t mixed =
      static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
  for (const std::uint64_t part : {static_cast<std::uint64_t>(getpid()), calls.fetch_add(1)}) {
    mixed = (mixed ^ part) * 0x9e3779b97f4a7c15;  // the golden ratio's bits spread the input
    mixed ^= mixed >> 32;
  }
  std::string end(temporary_mark);
  for (std::size_t i = 0; i < temporary_length; ++i, mixed /= temporary_letters.size())
    end += temporary_letters[mixed % temporary_letters.size()];
  return end;
}

// Makes a temporary file in the directory of `path`; `temporary` receives its name.
Descriptor open_temporary(int directory, const std::string& path, std::string& temporary) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    temporary = path + temporary_end();
    Descriptor file(openat(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file.get() >= 0 || errno != EEXIST) return file;
  }
  return Descriptor(-1);
}

bool read_all(int descriptor, std::string& content) {
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t got = read(descriptor, content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool write_file(int directory, const std::string& path, std::string_view content, Durability durability) noexcept try {
  std::string temporary;
  Descriptor file = open_temporary(directory, path, temporary);
  if (file.get() < 0) return false;
  // Without fsync(), a power cut may leave the new name with no content.
  if (write_all(file.get(), content) && (durability == Durability::process || fsync(file.get()) == 0) && file.close() &&
      renameat(directory, temporary.c_str(), directory, path.c_str()) == 0)
    return true;
  const int cause = errno;
  file.close();
  unlinkat(directory, temporary.c_str(), 0);
  errno = cause;
  return false;
} catch (const std::bad_alloc&) {
  errno = ENOMEM;
  return false;
}

bool write_file(const std::string& path, std::string_view content, Durability durability) noexcept {
  return write_file(AT_FDCWD, path, content, durability);
}

std::optional<std::string> read_file(int directory, const std::string& path, std::uint64_t limit) noexcept try {
  // O_NONBLOCK: opening a pipe of this name must not block.
  const Descriptor file(openat(directory, path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (status.st_size < 0 || static_cast<std::uint64_t>(status.st_size) > limit) return {};
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  if (!read_all(file.get(), content)) return {};
  return content;
} catch (const std::bad_alloc&) {
  return {};
}

std::optional<std::string> read_file(const std::string& path, std::uint64_t limit) noexcept {
  return read_file(AT_FDCWD, path, limit);
}

bool is_temporary_file(std::string_view name) {
  const auto mark = name.rfind(temporary_mark);
  if (mark == std::string_view::npos) return false;
  const std::string_view end = name.substr(mark + temporary_mark.size());
  return end.size() == temporary_length && end.find_first_not_of(temporary_letters) == std::string_view::npos;
}

std::string_view without_temporary_mark(std::string_view temporary) {
  return temporary.substr(0, temporary.rfind(temporary_mark));
}

}  // namespace tilewright::detail
