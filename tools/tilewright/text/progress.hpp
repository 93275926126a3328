#pragma once

#include <string_view>

namespace tilewright::tool {

/// Whether standard error is a terminal that can replace a line.
bool shows_progress();

/// Shows what is being done, in one line that replaces the one before. Only where standard error is a terminal.
void show_progress(std::string_view text);

/// Removes the line.
void clear_progress();

}  // namespace tilewright::tool
