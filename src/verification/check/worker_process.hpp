#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace tilewright::verification {

/// A child process that answers lines on its standard input with lines on its file descriptor 3. It leads a process
/// group of its own, so that an interrupt from the keyboard is this process's alone, and the group is ended with this
/// object or this process, however that ends.
class WorkerProcess {
 public:
  static constexpr int answer_descriptor = 3;

  using Deadline = std::chrono::steady_clock::time_point;

  /// Throws std::system_error where the system refuses pipes or processes. A program that cannot be started ends with
  /// 127.
  explicit WorkerProcess(const std::vector<std::string>& command);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sends a line. What a child that has ended does not get is found out by reading.
  void send(const std::string& line);

  enum class Got { line, end, nothing };
  /// The child's next line into `line`: `end` where the child closed its side or wrote too much for a line, `nothing`
  /// by the deadline.
  Got receive(std::string& line, Deadline deadline);

  /// The processor time that the child itself has used, in seconds.
  double cpu_seconds() const;

  /// Ends the child's group and says how the child itself ended: "exit status 1", "signal 11 (Segmentation fault)".
  std::string end();

 private:
  pid_t child_ = -1;
  pid_t guard_ = -1;
  int requests_ = -1;
  int answers_ = -1;
  int lifeline_ = -1;
  std::string received_;
};

/// The path of the program that runs, to start it again.
std::string path_of_this_program();

/// Writes a line whole, or as much of it as the reader takes.
bool write_line(int descriptor, std::string line);

}  // namespace tilewright::verification
