#include "files/text_lines.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "files/file_error.hpp"
#include "files/input.hpp"

namespace tilewright::tool {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 17;  // and so the longest line
constexpr std::uint64_t most_growth = 1032;                 // of what deflate compressed

}  // namespace

void TextLines::Close::operator()(gzFile_s* file) const { gzclose(file); }

TextLines::TextLines(const std::string& path) : path_(path) {
  require_file(path);
  errno = 0;
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_)
    throw FileError(FileErrorCode::cannot_open, path,
                    "cannot be opened for reading: " + std::generic_category().message(errno));
  std::error_code error;
  file_bytes_ = std::filesystem::file_size(path, error);
  if (error) throw FileError(FileErrorCode::cannot_read, path, "has no size: " + error.message());
  gzbuffer(file_.get(), 1U << 16U);
  compressed_ = gzdirect(file_.get()) == 0;
  buffer_.resize(buffer_bytes);
}

std::uint64_t TextLines::most_left() const {
  const std::uint64_t most = compressed_ ? file_bytes_ * most_growth : file_bytes_;
  return most > taken_ ? most - taken_ : 0;
}

bool TextLines::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size())
    throw FileError(FileErrorCode::malformed_line, path_,
                    fmt::format("line {} is longer than {} characters", number_ + 1, buffer_.size()));
  const int count = gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
  int error = Z_OK;
  const char* const message = gzerror(file_.get(), &error);
  if (error == Z_BUF_ERROR)
    throw FileError(FileErrorCode::truncated, path_,
                    fmt::format("truncated: the compressed data end in the middle, after line {}", number_));
  if (count < 0 && error == Z_ERRNO)
    throw FileError(FileErrorCode::cannot_read, path_, "reading failed: " + std::generic_category().message(errno));
  if (count < 0)
    throw FileError(FileErrorCode::damaged, path_,
                    fmt::format("the compressed data are damaged, after line {}: {}", number_, message));
  end_ += static_cast<std::size_t>(count);
  return count > 0;
}

std::string_view TextLines::take(std::size_t bytes) {
  const std::string_view text(buffer_.data() + begin_, bytes);
  begin_ += bytes;
  taken_ += bytes;
  ++number_;
  return text;
}

bool TextLines::next(std::string_view& line) {
  for (std::size_t looked_at = 0;;) {
    const char* const from = buffer_.data() + begin_ + looked_at;
    looked_at = end_ - begin_;
    const void* const found = std::memchr(from, '\n', static_cast<std::size_t>(buffer_.data() + end_ - from));
    if (found != nullptr) {
      line = take(static_cast<std::size_t>(static_cast<const char*>(found) + 1 - (buffer_.data() + begin_)));
      line.remove_suffix(1);
      break;
    }
    if (fill()) continue;
    if (begin_ == end_) return false;
    line = take(end_ - begin_);
    break;
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

}  // namespace tilewright::tool
