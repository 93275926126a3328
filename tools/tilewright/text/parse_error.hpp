#pragma once

#include <string>

#include "cli_names.hpp"

namespace tilewright::tool {

/// The subcommand that was asked for, as it is called: "tilewright cache list"; "tilewright" where there is none.
std::string command_name(const CLI::App& app);

/// What is wrong with a command line, in one sentence: the word that is unknown, with the one that was probably meant,
/// else what CLI11 says.
std::string describe_parse_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tilewright::tool
