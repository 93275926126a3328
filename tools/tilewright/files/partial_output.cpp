#include "files/partial_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "files/file_error.hpp"
#include "files/output_file.hpp"

namespace tilewright::tool {
namespace {

std::string words_of(int error) { return std::generic_category().message(error); }

// Behind symbolic links, so that they stay.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

void write_all(int descriptor, std::string_view text, const auto& fail) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool PartialOutput::exists(const std::string& path) { return std::filesystem::exists(behind_links(path) + ".partial"); }

PartialOutput::PartialOutput(const std::string& path, const NpyHeader& header, bool resume)
    : path_(path), target_(behind_links(path)), partial_(target_ + ".partial"), journal_path_(target_ + ".journal") {
  check_output(path);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is a full disk, no more
  const std::string text = format_npy_header(header);
  offset_ = text.size();
  open_files(resume);
  if (resume) {
    std::string found(text.size(), '\0');
    struct stat status {};
    const bool same = pread(descriptor_.get(), found.data(), found.size(), 0) == static_cast<ssize_t>(found.size()) &&
                      found == text && fstat(descriptor_.get(), &status) == 0 &&
                      static_cast<std::uint64_t>(status.st_size) == offset_ + header.data_bytes();
    if (!same)
      throw FileError(FileErrorCode::cannot_write, partial_,
                      "is not what this product left; remove it to begin anew without --resume");
    read_journal();
  } else {
    make_room(text, offset_ + header.data_bytes());
  }
  file_ = MappedFile(descriptor_.get(), partial_, offset_ + header.data_bytes(), true);
}

void PartialOutput::fail(const std::string& action) const {
  const int error = errno;
  throw FileError(FileErrorCode::cannot_write, path_, action + " failed: " + words_of(error));
}

void PartialOutput::open_files(bool resume) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (resume ? 0 : O_CREAT);
  descriptor_ = detail::Descriptor(open(partial_.c_str(), flags, 0600));
  if (descriptor_.get() < 0) fail("opening " + partial_);
  if (flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw FileError(FileErrorCode::cannot_write, path_, "another process is writing " + partial_);
  journal_file_ =
      detail::Descriptor(open(journal_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (journal_file_.get() < 0) fail("opening " + journal_path_);
}

// Space that is not there when pages are written would end the process.
void PartialOutput::make_room(const std::string& header, std::uint64_t bytes) {
  const auto give_up = [&](int error) {
    unlink(partial_.c_str());
    unlink(journal_path_.c_str());
    const bool full = error == ENOSPC || error == EFBIG || error == EDQUOT;
    throw FileError(FileErrorCode::cannot_write, path_,
                    full ? fmt::format("there is no room for its {} bytes: {}", bytes, words_of(error))
                         : "making room for it failed: " + words_of(error));
  };
  if (ftruncate(descriptor_.get(), 0) != 0) give_up(errno);
  if (const int error = posix_fallocate(descriptor_.get(), 0, static_cast<off_t>(bytes)); error != 0) give_up(error);
  if (pwrite(descriptor_.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size())) give_up(errno);
}

// A line that is not whole is of a tile that is not done.
void PartialOutput::read_journal() {
  std::ostringstream content;
  content << std::ifstream(journal_path_, std::ios::binary).rdbuf();
  std::string text = content.str();
  text.resize(text.rfind('\n') + 1);
  std::istringstream lines(text);
  std::getline(lines, journal_.heading);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    TileCorner corner;
    if (words >> corner.first >> corner.second) journal_.done.insert(corner);
  }
  // What follows begins a line.
  if (text.size() != content.str().size() && ftruncate(journal_file_.get(), static_cast<off_t>(text.size())) != 0)
    fail("cutting " + journal_path_);
}

void PartialOutput::begin_journal(const std::string& heading) {
  journal_ = {heading, {}};
  if (ftruncate(journal_file_.get(), 0) != 0) fail("emptying " + journal_path_);
  write_all(journal_file_.get(), heading + "\n", [&] { fail("writing " + journal_path_); });
}

void PartialOutput::note(const TileCorner& corner) {
  write_all(journal_file_.get(), fmt::format("{} {}\n", corner.first, corner.second),
            [&] { fail("writing " + journal_path_); });
}

void PartialOutput::commit() {
  if (file_.size() > 0 && msync(file_.data(), file_.size(), MS_SYNC) != 0) fail("writing");
  struct stat status {};
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t permissions = stat(target_.c_str(), &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask;
  if (fchmod(descriptor_.get(), permissions) != 0) fail("setting permissions");
  if (fsync(descriptor_.get()) != 0) fail("writing");
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail("renaming " + partial_);
  unlink(journal_path_.c_str());
}

}  // namespace tilewright::tool
