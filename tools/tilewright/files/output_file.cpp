#include "files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "files/file_error.hpp"
#include "files/input.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/write_all.hpp"

namespace tilewright::tool {
namespace {

// Signals that end a process and that the system or other processes commonly send.
constexpr std::array fatal_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};

// The file that the signal handler removes. A handler may only read plain memory, so the name is copied here while
// signals are blocked.
std::array<char, PATH_MAX> pending_path{};
volatile std::sig_atomic_t pending = 0;

extern "C" void remove_pending_file(int signal_number) {
  if (pending != 0) unlink(pending_path.data());
  // SA_RESETHAND restored the default action, so raising the signal again ends the process.
  raise(signal_number);
}

class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : fatal_signals) sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = remove_pending_file;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : fatal_signals) {
    struct sigaction before {};
    // Signals that the parent ignored, as nohup does, stay ignored.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

/// Returns the path to create or replace, with symbolic links resolved. Refuses devices and pipes, which a rename would
/// destroy.
std::string resolve(const std::string& path) {
  std::string target = detail::resolve_links(path).string();
  struct stat status {};
  if (lstat(target.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return target;
  if (S_ISLNK(status.st_mode))
    throw FileError(FileErrorCode::cannot_write, path, "cannot be written: too many levels of symbolic links");
  throw FileError(
      FileErrorCode::not_a_file, path,
      fmt::format("is not a file but {}, and cannot be replaced by a file", name_of_file_kind(status.st_mode)));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string directory_of(const std::string& target) {
  const std::string directory = std::filesystem::path(target).parent_path().string();
  return directory.empty() ? "." : directory;
}

}  // namespace

mode_t permissions_for(const std::string& target) {
  struct stat status {};
  if (stat(target.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool same_file(const std::string& left, const std::string& right) {
  struct stat one {};
  struct stat other {};
  const auto are_equal = [&] { return one.st_dev == other.st_dev && one.st_ino == other.st_ino; };
  const bool has_left = stat(left.c_str(), &one) == 0, has_right = stat(right.c_str(), &other) == 0;
  if (has_left || has_right) return has_left && has_right && are_equal();
  const std::filesystem::path place = detail::resolve_links(left), other_place = detail::resolve_links(right);
  return place.filename() == other_place.filename() && stat(directory_of(place.string()).c_str(), &one) == 0 &&
         stat(directory_of(other_place.string()).c_str(), &other) == 0 && are_equal();
}

void check_binary_output() {
  if (isatty(STDOUT_FILENO) == 0) return;
  throw FileError(FileErrorCode::cannot_write, "standard output",
                  "is a terminal, but the matrix is binary; redirect it to a file or a pipe, or name a file");
}

void write_binary_output(std::span<const std::byte> bytes) {
  check_binary_output();
  if (!detail::write_all(STDOUT_FILENO, text_of(bytes)))
    throw FileError(FileErrorCode::cannot_write, "standard output", "writing failed: " + detail::error_text(errno));
}

void check_output(const std::string& path) {
  if (path == "-")
    throw FileError(FileErrorCode::cannot_write, path,
                    "standard output is not accepted here; write ./- for a file of this name");
  const std::string target = resolve(path);
  const std::string directory = directory_of(target);
  if (!std::filesystem::path(path).has_filename()) {
    throw FileError(FileErrorCode::cannot_write, path, "is not a file name");
  }
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    throw FileError(FileErrorCode::cannot_write, path,
                    "cannot be written: " + directory + ": " + detail::error_text(errno));
  }
  if (access(target.c_str(), F_OK) == 0 && access(target.c_str(), W_OK) != 0) {
    throw FileError(FileErrorCode::cannot_write, path, "cannot be replaced: " + detail::error_text(errno));
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(resolve(path)) {
  check_output(path);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit then fails like a full disk
  const std::string name = directory_of(target_) + "/.tilewright-XXXXXX";
  if (name.size() >= pending_path.size()) {
    throw FileError(FileErrorCode::cannot_write, path, "cannot be written: the path is too long");
  }
  const BlockedSignals blocked;
  std::copy(name.c_str(), name.c_str() + name.size() + 1, pending_path.data());
  install_signal_handlers();
  pending = 1;  // set before the file exists, because other threads may receive signals
  descriptor_ = mkostemp(pending_path.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    pending = 0;
    fail("creating a temporary file");
  }
  temporary_ = pending_path.data();
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::fail(const char* action) const {
  throw FileError(FileErrorCode::cannot_write, path_, std::string(action) + " failed: " + detail::error_text(errno));
}

void OutputFile::discard() noexcept {
  const BlockedSignals blocked;
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
  pending = 0;
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (!detail::write_all(descriptor_, text_of(bytes))) fail("writing");
}

void OutputFile::commit() {
  if (fchmod(descriptor_, permissions_for(target_)) != 0) fail("setting permissions");
  // Without fsync() a power failure could leave an empty file under the new name.
  if (fsync(descriptor_) != 0) fail("writing");
  const BlockedSignals blocked;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("renaming the temporary file");
  temporary_.clear();
  pending = 0;
}

}  // namespace tilewright::tool
