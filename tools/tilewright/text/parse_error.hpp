#pragma once

#include <string>

#include "options/cli_names.hpp"

namespace tilewright::tool {

/// Returns the full name of the requested subcommand, for example "tilewright cache list"; "tilewright" if there is
/// none.
std::string command_name(const CLI::App& app);

/// Describes a command-line error in one sentence. Names the unknown word and a likely correction, otherwise returns
/// CLI11's message.
std::string describe_parse_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tilewright::tool
