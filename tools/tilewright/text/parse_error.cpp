#include "text/parse_error.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "text/suggest.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

/// Returns the app followed by the named subcommands, outermost first.
std::vector<const CLI::App*> chain_of(const CLI::App& app) {
  std::vector<const CLI::App*> chain{&app};
  for (auto named = app.get_subcommands(); !named.empty(); named = named.front()->get_subcommands())
    chain.push_back(named.front());
  return chain;
}

std::string name_of(const std::vector<const CLI::App*>& chain, std::size_t size) {
  std::string name;
  for (std::size_t i = 0; i < size; ++i) name += (i == 0 ? "" : " ") + chain[i]->get_name();
  return name;
}

/// Names of the subcommands, except hidden ones.
std::vector<std::string> subcommands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string describe_unknown(const std::vector<const CLI::App*>& chain, std::size_t at, const std::string& word) {
  const CLI::App& app = *chain[at];
  const std::string name = name_of(chain, at + 1);
  if (word.size() > 1 && word.front() == '-') {
    const std::string option = word.substr(0, word.find('='));
    const std::string near = nearest(option, options_of(app));
    if (!near.empty()) return fmt::format("`{}` has no option {}: did you mean {}?", name, in_quotes(option), near);
    if (at + 1 < chain.size() && chain[at + 1]->get_option_no_throw(option) != nullptr)
      return fmt::format("the option {} belongs after `{}`", in_quotes(option), name_of(chain, at + 2));
    return fmt::format("`{}` has no option {}", name, in_quotes(option));
  }
  const std::vector<std::string> commands = subcommands_of(app);
  if (!commands.empty() && at + 1 == chain.size()) return unknown_word("command", word, commands);
  return fmt::format("`{}` does not take the word {}", name, in_quotes(word));
}

}  // namespace

std::string command_name(const CLI::App& app) {
  const std::vector<const CLI::App*> chain = chain_of(app);
  return name_of(chain, chain.size());
}

std::string describe_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> chain = chain_of(app);
  // An unknown word is a likelier cause than a missing one, so it is reported first.
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::vector<std::string> unknown = chain[i]->remaining();
    if (!unknown.empty()) return describe_unknown(chain, i, unknown.front());
  }
  const std::vector<std::string> commands = subcommands_of(*chain.back());
  if (!commands.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return fmt::format("`{}` needs one of its commands: {}", name_of(chain, chain.size()), join_words(commands));
  std::string said = printable(error.what());
  const CLI::Option* const option = chain.back()->get_option_no_throw(said.substr(0, said.find(':')));
  if (option != nullptr && dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return fmt::format("{} {}", option->get_name(), option->count() == 0 ? "needs a value" : "is given more than once");
  return said;
}

}  // namespace tilewright::tool
