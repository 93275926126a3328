// Reading of members of zip archives.
#pragma once

#include <memory>
#include <string>

#include "files/input.hpp"

// from libzip
struct zip;
struct zip_file;

namespace tilewright::tool {

class ZipArchive {
 public:
  /// Throws FileError(cannot_open, not_a_file, not_npz, cannot_read).
  explicit ZipArchive(const std::string& path);

  const std::string& path() const { return path_; }
  bool has(const std::string& name) const;

 private:
  friend class ZipMember;
  struct Close {
    void operator()(zip* archive) const;
  };

  std::string path_;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<zip, Close> archive_;
};

/// A member's content. left() is the size that the archive announces, limited to what its bytes can hold.
class ZipMember : public ByteSource {
 public:
  /// Opens a member. The archive must outlive this object. Throws FileError(missing_member, damaged,
  /// unsupported_format).
  ZipMember(const ZipArchive& archive, const std::string& name);

  /// Call after reading everything. Throws FileError(damaged) if the checksum is wrong, and FileError(trailing_data) if
  /// more data follow.
  void finish();

 private:
  struct Close {
    void operator()(zip_file* file) const;
  };

  void get(char* target, std::size_t bytes, std::string_view what) override;
  [[noreturn]] void fail() const;

  std::unique_ptr<zip_file, Close> file_;
};

}  // namespace tilewright::tool
