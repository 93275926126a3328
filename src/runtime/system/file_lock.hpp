#pragma once

#include <string>

#include "runtime/system/descriptor.hpp"

namespace tilewright::detail {

/// Keeps other processes and threads from changing a file at the same time, from its making to its end. What is locked
/// is a file of its own, which is never renamed or removed: whoever locked a file that is then replaced would hold
/// nothing. The lock goes with the process, however it ends.
class FileLock {
 public:
  /// Waits for who holds the lock, at most half a minute. Where the file system knows no locks there is none, which
  /// goes to the log. Throws Error(invalid_records) where the file cannot be opened or the lock not had.
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  Descriptor descriptor_;
};

}  // namespace tilewright::detail
