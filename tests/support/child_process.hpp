#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::test {

/// Another process; the destructor ends it.
class ChildProcess {
 public:
  /// Starts a program with arguments; its output goes to the file `output` if it is named. Throws std::runtime_error.
  explicit ChildProcess(std::vector<std::string> command, const std::string& output = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }

  /// Sends SIGKILL or another signal.
  void kill(int signal = SIGKILL) const;

  /// Waits, and returns the exit status, or 128 + the number of the signal that ended the process. Call it once.
  int wait();

  /// Whether the process has ended. Does not wait.
  bool has_ended() const;

 private:
  pid_t id_;
};

/// The exit status of run_in_child() if the function throws.
inline constexpr int status_of_exception = 125;

/// Runs a function in a fork of this process. Returns its result, which must be an exit status, or 128 + the number of
/// the signal that ended the child. An exception ends the child and does not continue the parent's code there. The
/// function must not use the OpenCL driver.
int run_in_child(const std::function<int()>& function);

}  // namespace tilewright::test
