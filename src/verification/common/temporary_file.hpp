#pragma once

#include <string>

namespace tilewright::verification {

/// An empty file in the directory for temporary ones, readable by the user only, that goes with this.
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
