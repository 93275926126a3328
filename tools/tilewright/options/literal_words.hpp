// Words of another program's command line, which CLI11 must not interpret.
#pragma once

#include <string>
#include <vector>

namespace tilewright::tool {

/// Returns the command line in reverse order, for CLI::App::parse(). CLI11 takes a word such as [1,2] for a
/// list, so after `--` of the commands run and tune such words get a mark.
std::vector<std::string> reversed_words(int argc, const char* const* argv);

/// Removes the marks.
std::vector<std::string> literal_words(std::vector<std::string> words);

}  // namespace tilewright::tool
