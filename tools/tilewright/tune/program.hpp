// Runs the program of `tilewright tune --for` and records its products.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace tilewright::tool {

struct ProgramRun {
  double seconds = 0;     ///< wall time
  std::string failure{};  ///< empty if the status was 0, otherwise "ended with status 3" or "was ended by signal 11"
};

/// Runs a program and waits for its end. The program is searched on the PATH and inherits this process's environment.
/// Its standard output is redirected to standard error. If `shapes` is not empty, Tilewright in that program appends
/// its products to this file. Once `stop` is set, the program gets SIGTERM. Throws std::runtime_error if it cannot be
/// started.
ProgramRun run_program(const std::vector<std::string>& words, const std::string& shapes, const std::atomic<bool>& stop);

}  // namespace tilewright::tool
