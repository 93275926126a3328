#include "files/text_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "files/file_error.hpp"
#include "files/input.hpp"
#include "runtime/system/error_text.hpp"

namespace tilewright::tool {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 17;  // also the longest line
constexpr std::uint64_t max_growth = 1032;                  // largest compression ratio of deflate

}  // namespace

void TextLines::Close::operator()(gzFile_s* file) const { gzclose(file); }

TextLines::TextLines(const std::string& path, char comment) : path_(path), comment_(comment) {
  const detail::Descriptor opened = open_regular_file(path);
  file_bytes_ = size_of_file(opened, path);
  errno = 0;
  const int owned = fcntl(opened.get(), F_DUPFD_CLOEXEC, 0);
  if (owned >= 0) file_.reset(gzdopen(owned, "rb"));
  if (!file_) {
    const int cause = errno == 0 ? ENOMEM : errno;
    if (owned >= 0) close(owned);
    throw FileError(FileErrorCode::cannot_open, path, "cannot be opened for reading: " + detail::error_text(cause));
  }
  gzbuffer(file_.get(), 1U << 16U);
  compressed_ = gzdirect(file_.get()) == 0;
  buffer_.resize(buffer_bytes);
}

std::uint64_t TextLines::max_left() const {
  const std::uint64_t most = compressed_ ? file_bytes_ * max_growth : file_bytes_;
  return most > taken_ ? most - taken_ : 0;
}

std::size_t TextLines::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) make_room();
  const int count = gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
  int error = Z_OK;
  const char* const message = gzerror(file_.get(), &error);
  if (error == Z_BUF_ERROR)
    throw FileError(FileErrorCode::truncated, path_,
                    fmt::format("truncated: the compressed data end within a line, after line {}", number_));
  if (count < 0 && error == Z_ERRNO)
    throw FileError(FileErrorCode::cannot_read, path_, "reading failed: " + detail::error_text(errno));
  if (count < 0)
    throw FileError(FileErrorCode::damaged, path_,
                    fmt::format("the compressed data are damaged after line {}: {}", number_, message));
  end_ += static_cast<std::size_t>(count);
  return static_cast<std::size_t>(count);
}

// Makes room in a buffer that holds only the start of one line. Drops leading blanks and the end of a comment.
void TextLines::make_room() {
  const std::string_view line(buffer_.data(), end_);
  const std::size_t start = line.find_first_not_of(" \t");
  const bool is_blank = start == std::string_view::npos;
  if (!is_blank && line[start] != comment_)
    throw FileError(FileErrorCode::malformed_line, path_,
                    fmt::format("line {} is longer than {} characters", number_ + 1, buffer_.size()));
  const std::size_t first = is_blank ? end_ - 1 : start;
  const std::size_t kept = std::min(end_ - first, end_ / 2);
  std::memmove(buffer_.data(), buffer_.data() + first, kept);
  taken_ += end_ - kept;
  end_ = kept;
}

std::string_view TextLines::take(std::size_t bytes) {
  const std::string_view text(buffer_.data() + begin_, bytes);
  begin_ += bytes;
  taken_ += bytes;
  ++number_;
  return text;
}

bool TextLines::next(std::string_view& line) {
  for (std::size_t searched = 0;;) {
    const char* const from = buffer_.data() + begin_ + searched;
    const void* const found = std::memchr(from, '\n', static_cast<std::size_t>(buffer_.data() + end_ - from));
    if (found != nullptr) {
      line = take(static_cast<std::size_t>(static_cast<const char*>(found) + 1 - (buffer_.data() + begin_)));
      line.remove_suffix(1);
      break;
    }
    if (const std::size_t added = fill(); added > 0) {
      searched = end_ - begin_ - added;
      continue;
    }
    if (begin_ == end_) return false;
    line = take(end_ - begin_);
    break;
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

}  // namespace tilewright::tool
