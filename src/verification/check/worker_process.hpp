#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tilewright::verification {

/// A child process that reads lines from standard input and answers with lines on file descriptor 3. It leads its own
/// process group, so that keyboard interrupts reach only this process. The group is killed with this object, or when
/// this process ends for any reason.
class WorkerProcess {
 public:
  static constexpr int answer_descriptor = 3;

  using Deadline = std::chrono::steady_clock::time_point;

  /// Throws std::system_error if pipes or processes cannot be created. If the program cannot be started, the child
  /// exits with status 127.
  explicit WorkerProcess(const std::vector<std::string>& command);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sends a line. Reports no error if the child has ended; receive() does.
  void send(const std::string& line);

  enum class Received { line, end, nothing };
  /// Reads the child's next line. Returns `end` if the child closed its side or exceeded the line limit, `nothing` at
  /// the deadline.
  Received receive(std::string& line, Deadline deadline);

  /// CPU time of the child, in seconds.
  double cpu_seconds() const;

  /// Kills the child's group and describes how the child ended: "exit status 1", "signal 11 (Segmentation fault)".
  std::string end();

 private:
  pid_t child_ = -1;
  pid_t guard_ = -1;
  int requests_ = -1;
  int answers_ = -1;
  int lifeline_ = -1;
  std::string received_;
};

/// Returns the path of the running program.
std::string path_of_this_program();

/// Writes a line and returns true. Returns false if the reader stopped.
bool write_line(int descriptor, std::string line);

}  // namespace tilewright::verification
