// Completion for shells: subcommands and options by name, and files where neither fits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "command_tree.hpp"

namespace tilewright::tool {
namespace {

constexpr std::string_view origin = "# Written by the build from the command itself.\n";

void for_each_command(const CommandText& command, const std::function<void(const CommandText&)>& visit) {
  visit(command);
  for (const CommandText& part : command.parts) for_each_command(part, visit);
}

std::vector<OptionText> named_options(const CommandText& command) {
  std::vector<OptionText> options;
  for (const OptionText& option : command.options)
    if (!option.is_positional) options.push_back(option);
  return options;
}

std::vector<std::string> names_of_parts(const CommandText& command) {
  std::vector<std::string> names;
  for (const CommandText& part : command.parts) names.push_back(part.name());
  return names;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(what, at)) != std::string::npos; at += by.size())
    result.replace(at, what.size(), by);
  return result;
}

// In single quotes, for bash and zsh.
std::string shell_quoted(std::string_view text) { return "'" + replaced(text, "'", R"('\'')") + "'"; }

// For the case statements of bash and zsh: every subcommand's path.
std::string all_paths(const CommandText& program) {
  std::vector<std::string> paths;
  for_each_command(program, [&](const CommandText& command) {
    if (!command.path.empty()) paths.push_back(shell_quoted(' ' + command.path));
  });
  return fmt::format("{}", fmt::join(paths, " | "));
}

std::string path_pattern(const CommandText& command) {
  return shell_quoted(command.path.empty() ? "" : ' ' + command.path);
}

}  // namespace

std::string bash_completion(const CommandText& program) {
  std::string script(origin);
  script += fmt::format(R"(_tilewright() {{
  local place='' word names=''
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "${{place}} ${{word}}" in
      {}) place="${{place}} ${{word}}" ;;
    esac
  done
  case "${{place}}" in
)",
                        all_paths(program));
  for_each_command(program, [&](const CommandText& command) {
    std::vector<std::string> names = names_of_parts(command);
    for (const OptionText& option : named_options(command)) names.push_back(option.names.back());
    script += fmt::format("    {}) names={} ;;\n", path_pattern(command),
                          shell_quoted(fmt::format("{}", fmt::join(names, " "))));
  });
  script += R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "${names}" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o bashdefault -o default -F _tilewright tilewright
)";
  return script;
}

std::string zsh_completion(const CommandText& program) {
  const auto described = [](std::string_view name, std::string_view help) {
    return ' ' + shell_quoted(fmt::format("{}:{}", name, replaced(help, ":", "\\:")));
  };
  std::string script = "#compdef tilewright\n";
  script += origin;
  script += fmt::format(R"(_tilewright() {{
  local place='' word
  local -a parts options
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "${{place}} ${{word}}" in
      {}) place="${{place}} ${{word}}" ;;
    esac
  done
  case "${{place}}" in
)",
                        all_paths(program));
  for_each_command(program, [&](const CommandText& command) {
    std::string parts;
    for (const CommandText& part : command.parts) parts += described(part.name(), part.help);
    std::string options;
    for (const OptionText& option : named_options(command)) options += described(option.names.back(), option.help);
    script +=
        fmt::format("    {})\n      parts=({} )\n      options=({} ) ;;\n", path_pattern(command), parts, options);
  });
  script += R"(  esac
  if [[ "${words[CURRENT]}" == -* ]]; then
    _describe -o option options
  elif ((${#parts})); then
    _describe command parts
  else
    _files
  fi
}
compdef _tilewright tilewright
)";
  return script;
}

std::string fish_completion(const CommandText& program) {
  const auto fish_quoted = [](std::string_view text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
  };
  std::string script(origin);
  for_each_command(program, [&](const CommandText& command) {
    const std::string parts = fmt::format("{}", fmt::join(names_of_parts(command), " "));
    std::string seen;  // the words of the path, each seen before the cursor
    for (std::size_t start = 0; start < command.path.size();) {
      const std::size_t end = std::min(command.path.find(' ', start), command.path.size());
      seen += fmt::format("{}__fish_seen_subcommand_from {}", seen.empty() ? "" : "; and ",
                          command.path.substr(start, end - start));
      start = end + 1;
    }
    std::string here = seen.empty() ? "__fish_use_subcommand" : seen;
    if (!seen.empty() && !parts.empty()) here += "; and not __fish_seen_subcommand_from " + parts;
    for (const CommandText& part : command.parts)
      script += fmt::format("complete -c tilewright -f -n {} -a {} -d {}\n", fish_quoted(here), part.name(),
                            fish_quoted(part.help));
    for (const OptionText& option : named_options(command)) {
      script += fmt::format("complete -c tilewright -n {}", fish_quoted(here));
      for (const std::string& name : option.names)
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      script += fmt::format("{} -d {}\n", option.takes_value ? " -r" : "", fish_quoted(option.help));
    }
  });
  return script;
}

}  // namespace tilewright::tool
