// `tilewright tune --for`: the run of another program, whose products are noted.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace tilewright::tool {

struct ProgramRun {
  double seconds = 0;     ///< from its start to its end
  std::string failure{};  ///< how it ended where that was not with 0: "ended with status 3", "was ended by signal 11"
};

/// Runs a program, with this process's environment (where POCL_AFFINITY is set), found as a shell finds it, with its
/// arguments, and waits for its end. What it prints goes to the standard error. Where `shapes` is not empty, the
/// products that it does with Tilewright are appended to that file. Where `stop` is set meanwhile it is asked to end,
/// by SIGTERM. Throws std::runtime_error where it cannot be started.
ProgramRun run_program(const std::vector<std::string>& words, const std::string& shapes, const std::atomic<bool>& stop);

}  // namespace tilewright::tool
