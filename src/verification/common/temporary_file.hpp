#pragma once

#include <string>

namespace tilewright::verification {

/// An empty temporary file, readable only by the user, and deleted with this object.
class TemporaryFile {
 public:
  /// Throws std::system_error.
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tilewright::verification
