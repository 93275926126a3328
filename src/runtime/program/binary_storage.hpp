#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/program/binary_key.hpp"

namespace tilewright::detail {

/// Where containers of binaries are kept: a directory, or whatever the application makes of its two functions.
class BinaryStorage {
 public:
  BinaryStorage() = default;
  BinaryStorage(const BinaryStorage&) = delete;
  BinaryStorage& operator=(const BinaryStorage&) = delete;
  virtual ~BinaryStorage() = default;

  /// Why nothing can be kept here; empty where it can.
  virtual std::string why_unusable() { return {}; }

  virtual std::optional<std::string> load(const BinaryKey& key) = 0;

  /// Whether store() stands a chance: to be asked before a binary is made for it.
  virtual bool is_writable(const BinaryKey& key) = 0;
  virtual bool store(const BinaryKey& key, std::string_view container) = 0;

  /// What was loaded was of use, or of none.
  virtual void touch(const BinaryKey&) {}
  virtual void remove(const BinaryKey&) {}
};

}  // namespace tilewright::detail
