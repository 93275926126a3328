// The interface of a store of program binaries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/program/binary_key.hpp"

namespace tilewright::detail {

/// A store of containers: a directory, or the application's two functions.
class BinaryStorage {
 public:
  BinaryStorage() = default;
  BinaryStorage(const BinaryStorage&) = delete;
  BinaryStorage& operator=(const BinaryStorage&) = delete;
  virtual ~BinaryStorage() = default;

  /// Returns why nothing can be kept here; empty if it can.
  virtual std::string why_unusable() { return {}; }

  virtual std::optional<std::string> load(const BinaryKey& key) = 0;

  /// Returns why store() would fail; empty if it may succeed. Called before the binary is fetched.
  virtual std::string why_unwritable(const BinaryKey& key) = 0;

  /// Returns why the container was not stored; empty if it was.
  virtual std::string store(const BinaryKey& key, std::string_view container) = 0;

  /// touch(): a loaded binary was used. remove(): it could not be used.
  virtual void touch(const BinaryKey&) {}
  virtual void remove(const BinaryKey&) {}
};

}  // namespace tilewright::detail
