#pragma once

#include <string>
#include <vector>

#include "options/cli_names.hpp"

namespace tilewright::tool {

struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; a positional argument has one name
  bool is_positional = false;
  bool takes_value = false;
  bool is_required = false;
  std::string default_value{};
  std::string help{};
};

/// A command with its options and subcommands, as the manual page and the completions show it. Excludes hidden options
/// and subcommands.
struct CommandText {
  std::string path{};  ///< "" for the program, "cache list" for a nested subcommand
  std::string help{};
  std::string footer{};
  std::vector<OptionText> options{};
  std::vector<CommandText> parts{};

  std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

CommandText describe(const CLI::App& app);

/// Returns the manual page tilewright(1) in man's format.
std::string manual_page(const CommandText& program);

std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

}  // namespace tilewright::tool
