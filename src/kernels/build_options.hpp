// The options that programs are compiled with.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tilewright::detail {

/// Returns the first option of every program: the version of OpenCL C.
inline std::string language_option() { return "-cl-std=CL1.2"; }

/// Returns " -DNAME=value".
template <std::integral Value>
std::string define(std::string_view name, Value value) {
  return " -D" + std::string(name) + '=' + std::to_string(value);
}

/// Returns " -DNAME=1", or nothing if the condition does not hold.
inline std::string define_if(bool condition, std::string_view name) {
  return condition ? define(name, 1) : std::string();
}

}  // namespace tilewright::detail
