// Reads the lines of a text file, plain or compressed with gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;  // from zlib

namespace tilewright::tool {

class TextLines {
 public:
  /// Opens a file; its first bytes show whether it is compressed. A line is a comment if its first non-blank character
  /// is `comment`. Throws FileError(cannot_open, not_a_file, cannot_read).
  TextLines(const std::string& path, char comment);

  /// Reads the next line without its end (LF or CR LF); it is valid until the next call. Returns false at the end.
  /// Comments and leading blanks may have any length: long comments are cut, and long runs of blanks shortened. Throws
  /// FileError(cannot_read, damaged, truncated, malformed_line).
  bool next(std::string_view& line);

  const std::string& path() const { return path_; }
  std::uint64_t number() const { return number_; }  ///< of the last line, from 1

  /// Upper bound of the remaining characters. Deflate compresses by a factor of at most 1032.
  std::uint64_t max_left() const;
  std::uint64_t file_bytes() const { return file_bytes_; }

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  std::size_t fill();  // reads more; 0 at the end of the file
  void make_room();
  std::string_view take(std::size_t bytes);

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::uint64_t file_bytes_ = 0;
  char comment_;
  bool compressed_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t number_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // start of unread bytes
  std::size_t end_ = 0;
};

}  // namespace tilewright::tool
