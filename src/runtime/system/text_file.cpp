#include "runtime/system/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "runtime/system/atomic_file.hpp"
#include "runtime/system/descriptor.hpp"
#include "runtime/system/error_text.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw Error(ErrorCode::invalid_records, path.string() + ' ' + what);
}

}  // namespace

fs::path resolve_links(fs::path path) {
  constexpr int most = 40;  // as many as Linux follows
  std::error_code error;
  for (int links = 0; links < most && fs::is_symlink(path, error); ++links) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the whole path
  }
  return path;
}

std::optional<std::string> read_text(const fs::path& path) {
  // O_NONBLOCK: opening a pipe of this name must not block.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0 && errno == ENOENT) return std::nullopt;
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) fail(path, "cannot be read: " + error_text(errno));
  if (!S_ISREG(status.st_mode)) fail(path, S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > largest_records_file)
    fail(path, "has " + std::to_string(size) + " bytes; at most " + std::to_string(largest_records_file) +
                   " are allowed for a file of records");
  std::string text(size, '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t got = read(file.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read: " + error_text(errno));
    if (got == 0) text.resize(done);  // the file was truncated meanwhile
    done += static_cast<std::size_t>(got);
  }
  return text;
}

void write_text(const fs::path& path, std::string_view text) {
  const fs::path target = resolve_links(path);
  std::error_code error;
  const auto status = fs::symlink_status(target, error);
  if (fs::is_symlink(status)) fail(path, "cannot be written: too many levels of symbolic links");
  if (fs::exists(status) && !fs::is_regular_file(status)) fail(path, "is not a regular file and was left unchanged");
  if (!write_file(target.string(), text, Durability::power_cut)) fail(path, "cannot be written: " + error_text(errno));
}

void check_writable(const fs::path& path) {
  const fs::path directory = path.has_parent_path() ? path.parent_path() : ".";
  if (access(directory.c_str(), W_OK | X_OK) != 0) fail(path, "cannot be written: " + error_text(errno));
}

fs::path set_aside(const fs::path& path, const std::string& ending) {
  for (int number = 1;; ++number) {
    fs::path name = path;
    name += ending + (number == 1 ? "" : '-' + std::to_string(number));
    std::error_code error;
    if (fs::exists(fs::symlink_status(name, error))) continue;
    fs::rename(path, name, error);
    if (error) fail(path, "cannot be renamed to " + name.string() + ": " + error.message());
    return name;
  }
}

}  // namespace tilewright::detail
