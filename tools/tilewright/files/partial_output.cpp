#include "files/partial_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <system_error>
#include <vector>

#include "files/file_error.hpp"
#include "files/output_file.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/text_file.hpp"

namespace tilewright::tool {
namespace {

// Starts every heading, and so every journal.
constexpr std::string_view journal_mark = "tilewright journal of a partial product 1 ";
constexpr int max_journals = 9;  // names to try

constexpr int open_flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

std::string words_of(int error) { return std::generic_category().message(error); }

std::string partial_name(const std::string& path) { return detail::behind_links(path).string() + ".partial"; }

std::string journal_name(const std::string& target, int number) {
  return target + ".journal" + (number == 1 ? "" : fmt::format("-{}", number));
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Returns false if another process holds the lock. File systems without locks count as locked.
bool lock(const detail::Descriptor& file) { return flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

// Returns true if the path still names the open file. The file may have been renamed or removed while this process
// waited for its lock.
bool is_named(const detail::Descriptor& file, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return fstat(file.get(), &open) == 0 && lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// Opens a regular file. Does not open pipes and devices, or follow symbolic links.
detail::Descriptor open_existing(const std::string& path, int more_flags) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return detail::Descriptor(-1);
  if (!S_ISREG(status.st_mode)) {
    errno = S_ISLNK(status.st_mode) ? ELOOP : EINVAL;
    return detail::Descriptor(-1);
  }
  return detail::Descriptor(open(path.c_str(), open_flags | more_flags));
}

// Opens a journal; the result is negative if the file is not a journal.
detail::Descriptor open_if_journal(const std::string& path) {
  detail::Descriptor file = open_existing(path, O_APPEND);
  std::string start(journal_mark.size(), '\0');
  if (file.get() >= 0 && pread(file.get(), start.data(), start.size(), 0) == static_cast<ssize_t>(start.size()) &&
      start == journal_mark)
    return file;
  return detail::Descriptor(-1);
}

detail::Descriptor find_journal(const std::string& target, std::string& path) {
  for (int number = 1; number <= max_journals; ++number) {
    path = journal_name(target, number);
    detail::Descriptor file = open_if_journal(path);
    if (file.get() >= 0) return file;
  }
  return detail::Descriptor(-1);
}

std::optional<std::string> content_of(const detail::Descriptor& file) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return {};
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = pread(file.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return {};
    if (count == 0) text.resize(done);
    done += static_cast<std::size_t>(count);
  }
  return text;
}

// Removes an incomplete last line, which a killed process may leave. Lines added later must start on their own line.
bool end_last_line(const detail::Descriptor& file, std::string& text) {
  if (text.empty() || text.back() == '\n') return true;
  const std::size_t end = text.rfind('\n');
  if (end == std::string::npos) {  // an incomplete first heading, which identifies the file
    text += '\n';
    return write_all(file.get(), "\n");
  }
  text.resize(end + 1);
  return ftruncate(file.get(), static_cast<off_t>(text.size())) == 0;
}

}  // namespace

PartialState PartialOutput::state(const std::string& path) {
  struct stat status {};
  if (lstat(partial_name(path).c_str(), &status) != 0) return PartialState::none;
  std::string journal_path;
  const detail::Descriptor journal = find_journal(detail::behind_links(path).string(), journal_path);
  if (journal.get() < 0) return PartialState::foreign;
  return lock(journal) ? PartialState::unfinished : PartialState::in_use;
}

PartialOutput::PartialOutput(const std::string& path, const NpyHeader& header, const std::string& heading)
    : path_(path),
      target_(detail::behind_links(path).string()),
      partial_(partial_name(path)),
      header_(format_npy_header(header)),
      file_bytes_(header_.size() + header.data_bytes()),
      offset_(header_.size()) {
  check_output(path);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit then fails like a full disk
  struct stat status {};
  if (lstat(partial_.c_str(), &status) == 0) refuse(partial_ + " exists; continue it with --resume, or remove it");
  // Create the journal first: FILE.partial without a journal counts as foreign.
  create_journal();
  append_heading(heading);
  create_partial();
  reserve_space();
  map();
}

PartialOutput::PartialOutput(const std::string& path, const NpyHeader& header)
    : path_(path),
      target_(detail::behind_links(path).string()),
      partial_(partial_name(path)),
      header_(format_npy_header(header)),
      file_bytes_(header_.size() + header.data_bytes()),
      offset_(header_.size()) {
  check_output(path);
  std::signal(SIGXFSZ, SIG_IGN);
  open_journal();
  open_partial();
  read_journal();
  std::string found(header_.size(), '\0');
  const ssize_t count = pread(descriptor_.get(), found.data(), found.size(), 0);
  found.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  struct stat status {};
  if (count < 0 || fstat(descriptor_.get(), &status) != 0) fail("reading " + partial_);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const bool is_whole = found == header_ && size == file_bytes_;
  // An earlier run may have ended while it reserved the space.
  const bool is_begun = journal_.done.empty() && size <= file_bytes_ && header_.starts_with(found);
  if (!is_whole && !is_begun)
    throw FileError(FileErrorCode::cannot_write, partial_,
                    fmt::format("belongs to another product; remove it and {} to start over", journal_path_));
  if (is_whole) map();
}

void PartialOutput::fail(const std::string& action) const {
  const int error = errno;
  throw FileError(FileErrorCode::cannot_write, path_, action + " failed: " + words_of(error));
}

void PartialOutput::refuse(const std::string& reason) const {
  throw FileError(FileErrorCode::cannot_write, path_, reason);
}

// Creates a journal, or reuses one that a finished run could not remove.
void PartialOutput::create_journal() {
  for (int number = 1; number <= max_journals; ++number) {
    journal_path_ = journal_name(target_, number);
    journal_file_ = detail::Descriptor(open(journal_path_.c_str(), open_flags | O_APPEND | O_CREAT | O_EXCL, 0600));
    const bool is_new = journal_file_.get() >= 0;
    if (!is_new && errno != EEXIST) fail("creating " + journal_path_);
    if (!is_new) journal_file_ = open_if_journal(journal_path_);
    if (journal_file_.get() < 0 || !lock(journal_file_) || !is_named(journal_file_, journal_path_)) continue;
    if (is_new) return;
    std::optional<std::string> text = content_of(journal_file_);
    if (text && end_last_line(journal_file_, *text)) return;
  }
  refuse(fmt::format("no free name for a journal: {} and {} others are files of other programs; remove one of them",
                     journal_name(target_, 1), max_journals - 1));
}

void PartialOutput::create_partial() {
  descriptor_ = detail::Descriptor(open(partial_.c_str(), open_flags | O_CREAT | O_EXCL, 0600));
  if (descriptor_.get() >= 0 && lock(descriptor_) && is_named(descriptor_, partial_)) return;
  const int error = descriptor_.get() < 0 ? errno : EEXIST;
  if (is_named(journal_file_, journal_path_)) unlink(journal_path_.c_str());
  if (error == EEXIST) refuse("another process is writing " + partial_);
  errno = error;
  fail("creating " + partial_);
}

void PartialOutput::open_journal() {
  journal_file_ = find_journal(target_, journal_path_);
  if (journal_file_.get() < 0) refuse("no journal shows that this command wrote " + partial_);
  if (!lock(journal_file_)) refuse("another process is writing " + partial_);
  if (!is_named(journal_file_, journal_path_)) refuse("another process has just finished it");
}

void PartialOutput::open_partial() {
  descriptor_ = open_existing(partial_, 0);
  if (descriptor_.get() < 0) fail("opening " + partial_);
  if (!lock(descriptor_)) refuse("another process is writing " + partial_);
  if (!is_named(descriptor_, partial_)) refuse("another process has just finished it");
}

void PartialOutput::read_journal() {
  std::optional<std::string> text = content_of(journal_file_);
  if (!text || !end_last_line(journal_file_, *text)) fail("reading " + journal_path_);
  for (const std::string& line : detail::split(*text, '\n')) {
    if (line.starts_with(journal_mark)) {  // a heading discards the tiles before it
      journal_ = {line.substr(journal_mark.size()), {}};
      continue;
    }
    const auto words = detail::words_in(line);
    if (words.size() < 2) continue;
    const auto row = detail::find_whole<std::uint64_t>(words[0]), column = detail::find_whole<std::uint64_t>(words[1]);
    if (row && column) journal_.done.insert({*row, *column});
  }
}

void PartialOutput::append_heading(const std::string& heading) {
  journal_ = {heading, {}};
  if (!write_all(journal_file_.get(), fmt::format("{}{}\n", journal_mark, heading))) {
    const int error = errno;
    if (descriptor_.get() < 0) unlink(journal_path_.c_str());
    errno = error;
    fail("writing " + journal_path_);
  }
}

void PartialOutput::remove_files() const {
  if (is_named(descriptor_, partial_)) unlink(partial_.c_str());
  if (is_named(journal_file_, journal_path_)) unlink(journal_path_.c_str());
}

// Reserves the space. Writing to a mapped page without disk space would end the process.
void PartialOutput::reserve_space() {
  const auto give_up = [&](int error) {
    remove_files();
    const bool full = error == ENOSPC || error == EFBIG || error == EDQUOT;
    refuse(full ? fmt::format("the disk lacks space for its {} bytes: {}", file_bytes_, words_of(error))
                : "reserving its space failed: " + words_of(error));
  };
  if (pwrite(descriptor_.get(), header_.data(), header_.size(), 0) != static_cast<ssize_t>(header_.size()))
    give_up(errno);
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(descriptor_.get(), 0, static_cast<off_t>(file_bytes_));
  if (error != 0) give_up(error);
}

void PartialOutput::map() { file_ = MappedFile(descriptor_.get(), partial_, file_bytes_, true); }

void PartialOutput::restart(const std::string& heading) {
  append_heading(heading);
  if (file_.data() != nullptr) return;
  reserve_space();
  map();
}

void PartialOutput::note(const TileCorner& corner) {
  if (!write_all(journal_file_.get(), fmt::format("{} {}\n", corner.first, corner.second)))
    fail("writing " + journal_path_);
}

void PartialOutput::commit() {
  if (file_.size() > 0 && msync(file_.data(), file_.size(), MS_SYNC) != 0) fail("writing");
  struct stat status {};
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t permissions = stat(target_.c_str(), &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
  if (fchmod(descriptor_.get(), permissions) != 0) fail("setting permissions");
  if (fsync(descriptor_.get()) != 0) fail("writing");
  if (!is_named(descriptor_, partial_)) refuse(partial_ + " was removed or replaced while it was written");
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail("renaming " + partial_);
  if (is_named(journal_file_, journal_path_)) unlink(journal_path_.c_str());
}

}  // namespace tilewright::tool
