#pragma once

#include <string_view>

namespace tilewright::tool {

/// True if standard error is a terminal that can replace a line.
bool shows_progress();

/// Replaces the progress line on standard error. Does nothing if standard error is not such a terminal.
void show_progress(std::string_view text);

/// Removes the progress line.
void clear_progress();

}  // namespace tilewright::tool
