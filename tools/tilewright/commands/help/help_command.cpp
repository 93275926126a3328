#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "text/suggest.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

int run(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* shown = &app;
  std::string parents;
  for (const std::string& word : words) {
    const CLI::App* next = nullptr;
    for (const CLI::App* const command : shown->get_subcommands([](const CLI::App*) { return true; }))
      if (command->get_name() == word) next = command;
    if (next == nullptr && names_of(*shown).empty())
      throw UsageError(
          fmt::format("`{}{}` has no commands of its own; run it with --help", parents, shown->get_name()));
    if (next == nullptr) throw UsageError(unknown_word("command", word, names_of(*shown)));
    parents += shown->get_name() + ' ';
    shown = next;
  }
  // help() would explain this subcommand instead.
  const std::string name = parents + shown->get_name();
  fmt::print("{}", app.get_formatter()->make_help(shown, name, CLI::AppFormatMode::Normal));
  return 0;
}

}  // namespace

void add_help_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("help", "Explain a command, like --help");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *words, "command to explain; default: list all commands");
  command->footer("Example:\n  tilewright help cache list");
  command->callback([&app, &action, words] { action = [&app, words] { return run(app, *words); }; });
}

}  // namespace tilewright::tool
