// The output that text is laid out for: a terminal with a width and optional colours, or a pipe.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tilewright::tool {

struct Page {
  std::size_t width = 0;  ///< in columns; 0: no limit, one line per row
  bool colour = false;
};

/// Returns the page of a stream. `terminal` is true for a terminal; `columns` is its width, or 0 if unknown. `variable`
/// is getenv(). COLUMNS overrides the width of a terminal. NO_COLOR and TERM=dumb turn colours off; CLICOLOR_FORCE
/// turns them on for pipes. An empty variable counts as unset, as does CLICOLOR_FORCE=0.
Page make_page(bool terminal, std::size_t columns, const std::function<const char*(const char*)>& variable);

const Page& output_page();  ///< standard output
const Page& error_page();   ///< standard error

enum class Style { plain, strong, good, bad, faint };

/// Returns the text in a style if the page has colours, otherwise unchanged.
std::string styled(std::string_view text, Style style, const Page& page);

}  // namespace tilewright::tool
