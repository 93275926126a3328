#pragma once

#include <stdexcept>

namespace tilewright::tool {

/// An invalid command line, whatever the device and files. The exit status is 2.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace tilewright::tool
