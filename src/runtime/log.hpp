#pragma once

#include <string_view>

namespace tilewright::detail {

/// Hands a message to the application's callback, if it set one.
void log(std::string_view message);

/// The same for what is no warning.
void debug(std::string_view message);

}  // namespace tilewright::detail
