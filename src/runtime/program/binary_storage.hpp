#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/program/binary_key.hpp"

namespace tilewright::detail {

/// Where containers of binaries are kept: a directory, or the application's two functions.
class BinaryStorage {
 public:
  BinaryStorage() = default;
  BinaryStorage(const BinaryStorage&) = delete;
  BinaryStorage& operator=(const BinaryStorage&) = delete;
  virtual ~BinaryStorage() = default;

  /// Why nothing can be kept here; empty if it can.
  virtual std::string why_unusable() { return {}; }

  virtual std::optional<std::string> load(const BinaryKey& key) = 0;

  /// Why store() would fail; empty if it has a chance. Asked before a binary is made for it.
  virtual std::string why_unwritable(const BinaryKey& key) = 0;

  /// Returns why the container was not stored; empty if it was.
  virtual std::string store(const BinaryKey& key, std::string_view container) = 0;

  /// The binary that was loaded was used, or could not be used.
  virtual void touch(const BinaryKey&) {}
  virtual void remove(const BinaryKey&) {}
};

}  // namespace tilewright::detail
