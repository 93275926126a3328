// Callbacks for warnings and debug messages.
#pragma once

#include <functional>
#include <string_view>

#include "tilewright/export.hpp"

namespace tilewright {

/// Receives messages of the library, which never prints. May be called from any thread, and may use the library.
/// Messages that its own calls cause in the same thread are dropped.
using LogCallback = std::function<void(std::string_view message)>;

/// Sets the callback for warnings in the whole process. It is empty at first: warnings are dropped.
TILEWRIGHT_API void set_log_callback(LogCallback callback);

/// Sets the callback for debug messages in the whole process, such as why a program was not found in the cache. It is
/// empty at first: debug messages are dropped.
TILEWRIGHT_API void set_debug_callback(LogCallback callback);

}  // namespace tilewright
