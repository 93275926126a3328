#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/system/descriptor.hpp"

namespace tilewright::detail {

/// A directory that is held open: what is done in it happens there, wherever its path may lead meanwhile.
class OpenDirectory {
 public:
  /// A directory by its path; nothing where it cannot be opened.
  static std::optional<OpenDirectory> at(const std::string& path);

  /// A directory in this one. Symbolic links are not followed: nothing where the name is one.
  std::optional<OpenDirectory> child(const std::string& name) const;

  /// The same, made where it is missing, for the user only.
  std::optional<OpenDirectory> make_child(const std::string& name) const;

  /// What is in it now.
  std::vector<std::string> names() const;

  /// For openat() and its relatives.
  int descriptor() const { return descriptor_.get(); }

 private:
  explicit OpenDirectory(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  static std::optional<OpenDirectory> open(int above, const std::string& name, int flags);

  Descriptor descriptor_;
};

}  // namespace tilewright::detail
