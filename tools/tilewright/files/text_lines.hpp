// The lines of a text file, plain or compressed with gzip.
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
  /// The first bytes decide whether the file is compressed. A line whose first character other than a blank is
  /// `comment` is a comment. Throws FileError(cannot_open, not_a_file, cannot_read).
  TextLines(const std::string& path, char comment);

  /// The next line, without its end (LF or CR LF), valid until the next call; false at the end. A comment or a run of
  /// leading blanks may have any length: of a long comment the beginning is returned, and of many blanks one. Throws
  /// FileError(cannot_read, damaged, truncated, malformed_line).
  bool next(std::string_view& line);

  const std::string& path() const { return path_; }
  std::uint64_t number() const { return number_; }  ///< of the last line, from 1

  /// Upper bound of the characters that follow: gzip compresses by a factor of 1032 at most.
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
  std::size_t begin_ = 0;  // of the bytes that were read and not yet returned
  std::size_t end_ = 0;
};

}  // namespace tilewright::tool
