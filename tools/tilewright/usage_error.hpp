#pragma once

#include <stdexcept>

namespace tilewright::tool {

/// The command line asks for what no device and no file could make right: exit status 2.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace tilewright::tool
