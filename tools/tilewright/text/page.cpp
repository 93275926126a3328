#include "text/page.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/system/plain_text.hpp"

namespace tilewright::tool {
namespace {

/// Narrower terminals cannot hold a table's first columns; text is laid out for this width instead.
constexpr std::size_t min_width = 40;
constexpr std::size_t max_width = 10000;
constexpr std::size_t default_width = 80;

Page page_of(int descriptor) {
  winsize size{};
  const bool terminal = isatty(descriptor) != 0;
  const bool known = terminal && ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  return make_page(terminal, known ? size.ws_col : 0, [](const char* name) { return std::getenv(name); });
}

std::string_view code_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::strong:
      return "\x1b[1m";
    case Style::good:
      return "\x1b[1;32m";
    case Style::bad:
      return "\x1b[1;31m";
    case Style::faint:
      return "\x1b[2m";
  }
  return "";
}

}  // namespace

Page make_page(bool terminal, std::size_t columns, const std::function<const char*(const char*)>& variable) {
  const auto value = [&](const char* name) {
    const char* const text = variable(name);
    return std::string_view(text == nullptr ? "" : text);
  };
  Page page;
  const std::string_view forced = value("CLICOLOR_FORCE");
  page.colour =
      value("NO_COLOR").empty() && ((terminal && value("TERM") != "dumb") || (!forced.empty() && forced != "0"));
  if (!terminal) return page;
  page.width = columns == 0 ? default_width : columns;
  if (const auto wanted = detail::find_whole<std::size_t>(value("COLUMNS")); wanted && *wanted > 0)
    page.width = *wanted;
  page.width = std::min(std::max(page.width, min_width), max_width);
  return page;
}

const Page& output_page() {
  static const Page page = page_of(STDOUT_FILENO);
  return page;
}

const Page& error_page() {
  static const Page page = page_of(STDERR_FILENO);
  return page;
}

std::string styled(std::string_view text, Style style, const Page& page) {
  if (!page.colour || style == Style::plain || text.empty()) return std::string(text);
  return std::string(code_of(style)) + std::string(text) + "\x1b[0m";
}

}  // namespace tilewright::tool
