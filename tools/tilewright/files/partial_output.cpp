#include "files/partial_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "files/file_error.hpp"
#include "files/output_file.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/plain_text.hpp"
#include "runtime/system/text_file.hpp"
#include "runtime/system/write_all.hpp"

namespace tilewright::tool {
namespace {

// Starts every heading, and so every journal.
constexpr std::string_view journal_mark = "tilewright journal of a partial product 1 ";
constexpr int max_journals = 9;  // names to try

constexpr int open_flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

std::string journal_name(const std::string& target, int number) {
  return target + ".journal" + (number == 1 ? "" : fmt::format("-{}", number));
}

// Returns false if another process holds the lock. File systems without locks count as locked. Tries for a tenth of a
// second, because is_locked() of another process holds a shared lock for an instant.
bool lock(const detail::Descriptor& file) {
  constexpr int attempts = 50;
  for (int left = attempts; flock(file.get(), LOCK_EX | LOCK_NB) != 0;) {
    if (errno != EWOULDBLOCK && errno != EINTR) return true;
    if (--left == 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// Returns true if another process holds the lock.
bool is_locked(const detail::Descriptor& file) {
  if (flock(file.get(), LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  flock(file.get(), LOCK_UN);
  return false;
}

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

// Returns the journal of an existing FILE.partial. A process that ended after its commit() may have left its own
// journal. The right one is the newest, because every run writes its heading after all earlier runs wrote their tiles.
detail::Descriptor find_journal(const std::string& target, std::string& path) {
  detail::Descriptor newest(-1);
  timespec time{};
  for (int number = 1; number <= max_journals; ++number) {
    const std::string name = journal_name(target, number);
    detail::Descriptor file = open_if_journal(name);
    struct stat status {};
    if (file.get() < 0 || fstat(file.get(), &status) != 0) continue;
    const timespec& changed = status.st_mtim;
    if (newest.get() >= 0 && std::pair(changed.tv_sec, changed.tv_nsec) <= std::pair(time.tv_sec, time.tv_nsec))
      continue;
    newest = std::move(file);
    time = changed;
    path = name;
  }
  return newest;
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
    return detail::write_all(file.get(), "\n");
  }
  text.resize(end + 1);
  return ftruncate(file.get(), static_cast<off_t>(text.size())) == 0;
}

// A file with a temporary name in the directory of `target`; the destructor removes the name.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target)
      : name_(std::filesystem::path(target).replace_filename(".tilewright-XXXXXX").string()),
        file_(mkostemp(name_.data(), O_APPEND | O_CLOEXEC)),
        exists_(file_.get() >= 0) {}
  ~TemporaryFile() {
    if (exists_) unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const detail::Descriptor& file() const { return file_; }

  // Gives the file a name; fails with EEXIST if the name is taken. On file systems without hard links, the file
  // replaces an empty one, which remains if the process ends in between.
  bool link_as(const std::string& name) {
    if (link(name_.c_str(), name.c_str()) == 0) return true;
    if (errno == EEXIST) return false;
    const detail::Descriptor empty(open(name.c_str(), open_flags | O_CREAT | O_EXCL, 0600));
    if (empty.get() < 0) return false;
    if (std::rename(name_.c_str(), name.c_str()) == 0) return true;
    const int error = errno;
    unlink(name.c_str());
    errno = error;
    return false;
  }

  detail::Descriptor take() { return std::move(file_); }

 private:
  std::string name_;
  detail::Descriptor file_;
  bool exists_;
};

}  // namespace

std::string PartialOutput::name_of(const std::string& path) {
  return detail::resolve_links(path).string() + ".partial";
}

PartialState PartialOutput::state(const std::string& path) {
  struct stat status {};
  if (lstat(name_of(path).c_str(), &status) != 0) return PartialState::none;
  std::string journal_path;
  const detail::Descriptor journal = find_journal(detail::resolve_links(path).string(), journal_path);
  if (journal.get() < 0) return PartialState::foreign;
  return is_locked(journal) ? PartialState::in_use : PartialState::unfinished;
}

PartialOutput::PartialOutput(const std::string& path, const NpyHeader& header, const std::string& heading)
    : path_(path),
      target_(detail::resolve_links(path).string()),
      partial_(name_of(path)),
      header_(format_npy_header(header)),
      file_bytes_(header_.size() + header.data_bytes()),
      offset_(header_.size()) {
  check_output(path);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit then fails like a full disk
  struct stat status {};
  if (lstat(partial_.c_str(), &status) == 0) refuse(partial_ + " exists; continue it with --resume, or remove it");
  // Create the journal first: FILE.partial without a journal counts as foreign.
  create_journal(heading);
  create_partial();
  allocate();
}

PartialOutput::PartialOutput(const std::string& path, const NpyHeader& header)
    : path_(path),
      target_(detail::resolve_links(path).string()),
      partial_(name_of(path)),
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
  throw FileError(FileErrorCode::cannot_write, path_, action + " failed: " + detail::error_text(error));
}

void PartialOutput::refuse(const std::string& reason) const {
  throw FileError(FileErrorCode::cannot_write, path_, reason);
}

// Creates a journal, or reuses one that a finished run could not remove. A new one gets its name when it is locked and
// has its heading, so a killed process leaves no empty file of that name, which would count as foreign.
void PartialOutput::create_journal(const std::string& heading) {
  TemporaryFile fresh(target_);
  if (fresh.file().get() < 0 || !lock(fresh.file()) || !append_heading(fresh.file(), heading))
    fail("creating a journal for " + partial_);
  for (int number = 1; number <= max_journals; ++number) {
    journal_path_ = journal_name(target_, number);
    if (fresh.link_as(journal_path_)) {
      journal_file_ = fresh.take();
      return;
    }
    if (errno != EEXIST) fail("creating " + journal_path_);
    journal_file_ = open_if_journal(journal_path_);
    if (journal_file_.get() < 0 || !lock(journal_file_) || !is_named(journal_file_, journal_path_)) continue;
    std::optional<std::string> text = content_of(journal_file_);
    if (!text || !end_last_line(journal_file_, *text)) continue;
    if (!append_heading(journal_file_, heading)) fail("writing " + journal_path_);
    return;
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
    const auto words = detail::split_words(line);
    if (words.size() < 2) continue;
    const auto row = detail::find_whole<std::uint64_t>(words[0]), column = detail::find_whole<std::uint64_t>(words[1]);
    if (row && column) journal_.done.insert({*row, *column});
  }
}

bool PartialOutput::append_heading(const detail::Descriptor& journal, const std::string& heading) {
  journal_ = {heading, {}};
  return detail::write_all(journal.get(), fmt::format("{}{}\n", journal_mark, heading));
}

void PartialOutput::remove_files() const {
  if (is_named(descriptor_, partial_)) unlink(partial_.c_str());
  if (is_named(journal_file_, journal_path_)) unlink(journal_path_.c_str());
}

// Reserves the space. Writing to a mapped page without disk space would end the process.
void PartialOutput::reserve_space() {
  const auto give_up = [&](int error) {
    const bool full = error == ENOSPC || error == EFBIG || error == EDQUOT;
    refuse(full ? fmt::format("the disk lacks space for its {} bytes: {}", file_bytes_, detail::error_text(error))
                : "reserving its space failed: " + detail::error_text(error));
  };
  if (pwrite(descriptor_.get(), header_.data(), header_.size(), 0) != static_cast<ssize_t>(header_.size()))
    give_up(errno);
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(descriptor_.get(), 0, static_cast<off_t>(file_bytes_));
  if (error != 0) give_up(error);
}

void PartialOutput::map() { file_ = MappedFile(descriptor_.get(), partial_, file_bytes_, true); }

// Reserves the space and maps the file. Leaves no files if that fails.
void PartialOutput::allocate() try {
  reserve_space();
  map();
} catch (...) {
  remove_files();
  throw;
}

void PartialOutput::restart(const std::string& heading) {
  if (!append_heading(journal_file_, heading)) fail("writing " + journal_path_);
  if (file_.data() == nullptr) allocate();
}

void PartialOutput::note(const TileCorner& corner) {
  if (!detail::write_all(journal_file_.get(), fmt::format("{} {}\n", corner.first, corner.second)))
    fail("writing " + journal_path_);
}

void PartialOutput::commit() {
  if (file_.size() > 0 && msync(file_.data(), file_.size(), MS_SYNC) != 0) fail("writing");
  if (fchmod(descriptor_.get(), permissions_for(target_)) != 0) fail("setting permissions");
  if (fsync(descriptor_.get()) != 0) fail("writing");
  if (!is_named(descriptor_, partial_)) refuse(partial_ + " was removed or replaced while it was written");
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail("renaming " + partial_);
  if (is_named(journal_file_, journal_path_)) unlink(journal_path_.c_str());
}

}  // namespace tilewright::tool
