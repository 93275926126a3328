#include "text/help_formatter.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "runtime/system/plain_text.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// Wraps each line of the text at the page's width.
std::string wrap_lines(const std::string& text, std::size_t width) {
  std::string result;
  for (const std::string& line : detail::split(text, '\n')) {
    const std::size_t indent = line.find_first_not_of(' ');
    result += wrap(line, width, 0, indent == std::string::npos || indent == 0 ? 0 : indent + 4) + '\n';
  }
  return result;
}

}  // namespace

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  const std::string text = CLI::Formatter::make_option_desc(option);
  // CLI11 indents continuation lines.
  return page_.width == 0 ? text : wrap(text, page_.width - get_column_width(), 0, 0);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  const std::size_t indent = get_column_width();
  std::string name = "  " + command->get_name();
  name.resize(std::max(name.size() + 1, indent), ' ');
  return name + wrap(command->get_description(), page_.width, name.size(), indent) + '\n';
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return wrap_lines(CLI::Formatter::make_description(app), page_.width);
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  return wrap_lines(CLI::Formatter::make_footer(app), page_.width);
}

}  // namespace tilewright::tool
