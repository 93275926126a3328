// The lines of a text file, plain or compressed by gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;  // zlib's

namespace tilewright::tool {

class TextLines {
 public:
  /// Whether a file is compressed is told by its first bytes. Throws FileError(cannot_open, not_a_file, cannot_read).
  explicit TextLines(const std::string& path);

  /// The next line, without what ends it (LF or CR LF), until the next call; false at the end. Throws
  /// FileError(cannot_read, damaged, truncated, malformed_line).
  bool next(std::string_view& line);

  const std::string& path() const { return path_; }
  std::uint64_t number() const { return number_; }  ///< of the last line, from 1

  /// No more characters than these can follow: a compressed file grows 1032 times at most.
  std::uint64_t most_left() const;
  std::uint64_t file_bytes() const { return file_bytes_; }

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  bool fill();  // false where nothing more follows
  std::string_view take(std::size_t bytes);

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::uint64_t file_bytes_ = 0;
  bool compressed_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t number_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was read and not taken
  std::size_t end_ = 0;
};

}  // namespace tilewright::tool
