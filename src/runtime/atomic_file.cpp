#include "runtime/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

namespace tilewright::detail {
namespace {

constexpr std::string_view temporary_mark = ".tmp-";
constexpr std::string_view temporary_pattern = ".tmp-XXXXXX";

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

// A write past the limit on the size of files (`ulimit -f`) sends SIGXFSZ, which would end the process: this holds it
// back in this thread and drops it, so that the write just fails.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoFileSizeSignal() {
    const timespec at_once{};
    while (!was_pending_ && sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t signal_;
  sigset_t before_;
  bool was_pending_;
};

bool write_all(int descriptor, std::string_view content) {
  const NoFileSizeSignal no_signal;
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
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

bool write_file(const std::string& path, std::string_view content, Durability durability) noexcept try {
  std::string temporary = path + std::string(temporary_pattern);
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) return false;
  // Without fsync() a power cut may leave the new name with no content.
  if (write_all(file.get(), content) && (durability == Durability::process || fsync(file.get()) == 0) && file.close() &&
      std::rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  unlink(temporary.c_str());
  return false;
} catch (const std::bad_alloc&) {
  return false;
}

std::optional<std::string> read_file(const std::string& path, std::uint64_t limit) noexcept try {
  // O_NONBLOCK: a pipe of this name must not keep us waiting.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (status.st_size < 0 || static_cast<std::uint64_t>(status.st_size) > limit) return {};
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  if (!read_all(file.get(), content)) return {};
  return content;
} catch (const std::bad_alloc&) {
  return {};
}

bool is_temporary_file(std::string_view name) {
  const auto mark = name.rfind(temporary_mark);
  return mark != std::string_view::npos && name.size() - mark == temporary_pattern.size();
}

}  // namespace tilewright::detail
