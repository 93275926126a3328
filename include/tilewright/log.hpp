#pragma once

#include <functional>
#include <string_view>

#include "tilewright/export.hpp"

namespace tilewright {

/// The library never prints. Warnings go to this callback, which is empty at first; it may be called from any thread.
/// It may use the library; what that gives rise to in the same thread is not sent to it.
using LogCallback = std::function<void(std::string_view message)>;

/// Replaces the callback of the whole process; an empty one silences the library.
TILEWRIGHT_API void set_log_callback(LogCallback callback);

/// The same for what is no warning but tells what the library does, such as why a program was not found in the cache.
TILEWRIGHT_API void set_debug_callback(LogCallback callback);

}  // namespace tilewright
