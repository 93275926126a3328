#pragma once

#include <string>
#include <vector>

#include "cli_names.hpp"

namespace tilewright::tool {

struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional argument its only name
  bool is_positional = false;
  bool takes_value = false;
  bool is_required = false;
  std::string default_value{};
  std::string help{};
};

/// A command with its options and subcommands, as the manual page and the completions show it. Hidden ones are left
/// out.
struct CommandText {
  std::string path{};  ///< "" for the program itself, "cache list" for a subcommand's subcommand
  std::string help{};
  std::string footer{};
  std::vector<OptionText> options{};
  std::vector<CommandText> parts{};

  std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

CommandText describe(const CLI::App& app);

/// The manual page tilewright(1), in the format of man.
std::string manual_page(const CommandText& program);

std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

}  // namespace tilewright::tool
