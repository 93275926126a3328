#include "text/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "text/page.hpp"
#include "text/text.hpp"

namespace tilewright::tool {

bool shows_progress() {
  static const bool shows = [] {
    const char* const name = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && (name == nullptr || std::string_view(name) != "dumb");
  }();
  return shows;
}

void show_progress(std::string_view text) {
  if (!shows_progress()) return;
  // A wrapped line could not be erased. The last column stays free for the cursor.
  std::string line = printable(text);
  for (std::size_t size = line.size(); display_width(line) >= error_page().width;) line.resize(--size);
  // Carriage return and "erase to the end of the line".
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
}

void clear_progress() { show_progress(""); }

}  // namespace tilewright::tool
