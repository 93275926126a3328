// A lock between processes and threads.
#pragma once

#include <string>

#include "runtime/system/descriptor.hpp"

namespace tilewright::detail {

/// Keeps other processes and threads from changing a file at the same time, from its construction to its destruction.
/// The locked file is a separate one that is never renamed or removed. A lock on a file that is replaced would protect
/// nothing. The lock ends with the process, however that ends.
class FileLock {
 public:
  /// Waits at most half a minute for another holder of the lock. On file systems without locks it takes none and logs
  /// that. Throws Error(invalid_records) if the file cannot be opened or the lock is not available in time.
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  Descriptor descriptor_;
};

}  // namespace tilewright::detail
