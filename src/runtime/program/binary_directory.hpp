// A directory of program binaries.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "runtime/program/binary_storage.hpp"
#include "runtime/system/open_directory.hpp"
#include "runtime/system/user_directory.hpp"

namespace tilewright::detail {

/// Keeps containers in a directory: one file per program, named by its key, in one directory per driver environment.
/// Many processes may use it at once without a lock. A failure counts as a missing file.
class BinaryDirectory : public BinaryStorage {
 public:
  BinaryDirectory(UserDirectory place, std::uint64_t max_bytes) : place_(std::move(place)), max_bytes_(max_bytes) {}

  /// Checks the directory on the first call only.
  std::string why_unusable() override;

  std::optional<std::string> load(const BinaryKey& key) override;

  /// Makes the directory if it is missing.
  std::string why_unwritable(const BinaryKey& key) override;

  /// Writes a file, and sometimes removes old ones.
  std::string store(const BinaryKey& key, std::string_view container) override;

  /// Records that a binary is used, at most once a day.
  void touch(const BinaryKey& key) override;
  void remove(const BinaryKey& key) override;

 private:
  std::optional<OpenDirectory> open(const BinaryKey& key);
  std::optional<OpenDirectory> open_to_write(const BinaryKey& key);

  UserDirectory place_;
  std::uint64_t max_bytes_;
  std::once_flag checked_;
  std::string problem_;
};

}  // namespace tilewright::detail
