#pragma once

#include <string>
#include <vector>

namespace tilewright::test {

struct CommandResult {
  int status = 0;  ///< the exit status, or 128 + the number of the signal that ended the process
  std::string output;
  std::string errors;
};

/// Runs the command `tilewright` with these arguments.
CommandResult run_command(const std::vector<std::string>& arguments);

/// Runs the command on a terminal with this number of columns. `output` holds both streams; its lines end with a
/// carriage return and a newline.
CommandResult run_on_terminal(unsigned short columns, const std::vector<std::string>& arguments);

}  // namespace tilewright::test
