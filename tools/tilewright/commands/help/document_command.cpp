// A hidden subcommand; the build uses it to generate the manual page and the completions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "commands/help/command_tree.hpp"

namespace tilewright::tool {

void add_document_command(CLI::App& app, Action& action) {
  using Writer = std::string (*)(const CommandText&);
  static const std::map<std::string, Writer> writers{
      {"man", manual_page}, {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
  CLI::App* const command = app.add_subcommand("document", "print the manual page or a completion")->group("");
  const auto form = std::make_shared<std::string>();
  command->add_option("form", *form, "man, bash, zsh or fish")->required()->check(CLI::IsMember(&writers));
  command->callback([&app, &action, form] {
    action = [&app, form] {
      fmt::print("{}", writers.at(*form)(describe(app)));
      return 0;
    };
  });
}

}  // namespace tilewright::tool
