// The version of the library.
#pragma once

#include <string_view>

namespace tilewright {

/// The library's version; the build system reads it from here.
inline constexpr std::string_view version = "0.1.0";

}  // namespace tilewright
