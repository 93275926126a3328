#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace tilewright::tool {

void show_progress(std::string_view text) {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal) return;
  // Carriage return, then "erase to the end of the line".
  std::fprintf(stderr, "\r\x1b[K%.*s", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
}

void clear_progress() { show_progress(""); }

}  // namespace tilewright::tool
