#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>
#include <vector>

namespace tilewright::test {

/// Another process, which is ended with this object.
class ChildProcess {
 public:
  /// Starts a program with arguments; what it prints goes to a file where one is named. Throws std::runtime_error.
  explicit ChildProcess(std::vector<std::string> command, const std::string& output = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }

  /// As kill -9 does, or with another signal.
  void kill(int signal = SIGKILL) const;

  /// Its exit status, or 128 + the signal that ended it. To be called once.
  int wait();

  /// Whether it has ended by itself.
  bool has_ended() const;

 private:
  pid_t id_;
};

/// Runs a function in a fork of this process: its result is the exit status. The function must leave the driver alone.
int run_in_child(int (*function)(const std::string& argument), const std::string& argument);

}  // namespace tilewright::test
