// A directory that is held open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/system/descriptor.hpp"

namespace tilewright::detail {

/// A directory that is held open. Operations affect this directory, even if its path leads elsewhere meanwhile.
class OpenDirectory {
 public:
  /// Opens a directory by its path; nothing if that fails.
  static std::optional<OpenDirectory> at(const std::string& path);

  /// Opens a directory in this one. Does not follow symbolic links; the result is then empty.
  std::optional<OpenDirectory> child(const std::string& name) const;

  /// Opens a directory in this one, and makes it for the user only if it is missing. Does not follow symbolic links.
  std::optional<OpenDirectory> make_child(const std::string& name) const;

  /// Lists the present entries.
  std::vector<std::string> names() const;

  /// For openat() and related functions.
  int descriptor() const { return descriptor_.get(); }

 private:
  explicit OpenDirectory(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  static std::optional<OpenDirectory> open(int above, const std::string& name, int flags);

  Descriptor descriptor_;
};

}  // namespace tilewright::detail
