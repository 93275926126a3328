#pragma once

#include <string>
#include <vector>

namespace tilewright::test {

struct CommandResult {
  int status = 0;  ///< of exit; 128 + the signal's number where a signal ended it
  std::string output;
  std::string errors;
};

/// Runs the command `tilewright` with these arguments.
CommandResult run_command(const std::vector<std::string>& arguments);

/// The same on a terminal with so many columns. Both streams come as `output`, with '\n' at the ends of lines.
CommandResult run_on_terminal(unsigned short columns, const std::vector<std::string>& arguments);

}  // namespace tilewright::test
