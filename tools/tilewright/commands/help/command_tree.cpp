#include "commands/help/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <string_view>

namespace tilewright::tool {
namespace {

OptionText describe(const CLI::Option& option) {
  OptionText text;
  text.is_positional = option.get_positional();
  text.takes_value = option.get_items_expected_max() > 0;
  text.is_required = option.get_required();
  text.default_value = option.get_default_str();
  text.help = option.get_description();
  if (text.is_positional) {
    text.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back('-' + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  return text;
}

CommandText describe(const CLI::App& app, const std::string& path) {
  CommandText text{.path = path, .help = app.get_description(), .footer = app.get_footer()};
  const auto is_shown = [](const auto* part) { return !part->get_group().empty(); };
  for (const CLI::Option* const option : app.get_options(is_shown)) text.options.push_back(describe(*option));
  for (const CLI::App* const part : app.get_subcommands(is_shown))
    text.parts.push_back(describe(*part, path.empty() ? part->get_name() : path + ' ' + part->get_name()));
  return text;
}

}  // namespace

CommandText describe(const CLI::App& app) { return describe(app, {}); }

}  // namespace tilewright::tool
