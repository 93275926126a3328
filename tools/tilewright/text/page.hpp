// What text is laid out for: a terminal of some width, with colours or without, or a pipe.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tilewright::tool {

struct Page {
  std::size_t width = 0;  ///< in columns; 0: no limit, one line for each row
  bool colour = false;
};

/// The page of a stream. `terminal`: whether it is one; `columns`: its width, 0 where it tells none. `variable` is
/// getenv(): COLUMNS overrides the width; NO_COLOR and TERM=dumb turn colours off, and CLICOLOR_FORCE turns them on
/// where there is no terminal, each where it is set and not empty (CLICOLOR_FORCE: nor 0).
Page make_page(bool terminal, std::size_t columns, const std::function<const char*(const char*)>& variable);

const Page& output_page();  ///< of standard output
const Page& error_page();   ///< of standard error

enum class Style { plain, strong, good, bad, faint };

/// The text in a style, where the page has colours.
std::string styled(std::string_view text, Style style, const Page& page);

}  // namespace tilewright::tool
