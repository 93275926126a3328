#include "verification/check/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "runtime/system/icd_environment.hpp"

namespace tilewright::verification {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_line = 1U << 20U;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

struct ChildPipe {
  std::array<int, 2> ends{-1, -1};

  ChildPipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("creating a pipe to a child process failed");
  }
  ~ChildPipe() {
    for (int& end : ends) close_descriptor(end);
  }
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  int take(std::size_t end) {
    const int descriptor = ends[end];
    ends[end] = -1;
    return descriptor;
  }
};

// Runs a process that kills the group when the lifeline closes. Between fork and exec, and here, only async-signal-safe
// functions may be called.
[[noreturn]] void guard_group(pid_t group, int lifeline) {
  if (setpgid(0, group) != 0) _exit(1);
  // Close all other inherited descriptors, so that pipes, locked files and terminals close with their owner.
  dup2(lifeline, 0);
#ifdef SYS_close_range
  const bool closed = syscall(SYS_close_range, 1U, ~0U, 0U) == 0;
#else
  const bool closed = false;
#endif
  const long limit = closed ? 0 : std::min(sysconf(_SC_OPEN_MAX), 65536L);
  for (int descriptor = 1; descriptor < limit; ++descriptor) close(descriptor);
  char byte = 0;
  while (read(0, &byte, 1) < 0 && errno == EINTR) continue;
  kill(0, SIGKILL);
  _exit(0);
}

// Waits for a killed process, for at most 5 s, because a driver may hold it.
std::optional<int> reap(pid_t process) {
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  for (;;) {
    int status = 0;
    const pid_t found = waitpid(process, &status, WNOHANG);
    if (found == process) return status;
    if ((found < 0 && errno != EINTR) || std::chrono::steady_clock::now() > deadline) return std::nullopt;
    std::this_thread::sleep_for(1ms);
  }
}

std::string exit_text(std::optional<int> status) {
  if (!status) return "it could not be killed";
  if (WIFEXITED(*status)) return "exit status " + std::to_string(WEXITSTATUS(*status));
  const int number = WTERMSIG(*status);
  return "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
}

}  // namespace

std::string path_of_this_program() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) throw std::runtime_error("reading /proc/self/exe failed, so this program's path is unknown");
  return {path.data(), static_cast<std::size_t>(length)};
}

bool write_line(int descriptor, std::string line) {
  line += '\n';
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t written = ::write(descriptor, line.data() + at, line.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);  // reading detects that a child has ended
  ChildPipe request;
  ChildPipe answer;
  ChildPipe lifeline;
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  detail::restore_icd_environment();
  child_ = fork();
  if (child_ < 0) fail("starting a child process failed");
  if (child_ == 0) {
    setpgid(0, 0);
    // The pipes' descriptors are above 2. One that already has the right number must only stay open.
    const int out = answer.ends[1];
    if (dup2(request.ends[0], STDIN_FILENO) < 0 || dup2(out, answer_descriptor) < 0 ||
        (out == answer_descriptor && fcntl(out, F_SETFD, 0) != 0))
      _exit(126);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  setpgid(child_, child_);  // called in both processes, because either may run first
  guard_ = fork();
  if (guard_ == 0) guard_group(child_, lifeline.ends[0]);
  if (guard_ < 0) {
    const int error = errno;
    kill(-child_, SIGKILL);
    reap(child_);
    errno = error;
    fail("starting a child process failed");
  }
  requests_ = request.take(1);
  answers_ = answer.take(0);
  lifeline_ = lifeline.take(1);
}

WorkerProcess::~WorkerProcess() { end(); }

double WorkerProcess::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(child_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

std::string WorkerProcess::end() {
  if (child_ < 0) return {};
  close_descriptor(requests_);
  close_descriptor(answers_);
  kill(-child_, SIGKILL);
  close_descriptor(lifeline_);
  // The group's number can be reused only after both processes are reaped.
  reap(guard_);
  const auto status = reap(child_);
  child_ = -1;
  return exit_text(status);
}

void WorkerProcess::send(const std::string& line) { write_line(requests_, line); }

WorkerProcess::Received WorkerProcess::receive(std::string& line, Deadline deadline) {
  for (;;) {
    if (const auto end = received_.find('\n'); end != std::string::npos) {
      line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return Received::line;
    }
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= 0s) return Received::nothing;
    const auto slice = std::chrono::duration_cast<std::chrono::milliseconds>(std::min<Deadline::duration>(left, 60s));
    pollfd waiting{answers_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(slice.count()) + 1);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;  // a signal must not bypass the deadline
    std::array<char, 4096> bytes{};
    const ssize_t count = ready < 0 ? -1 : read(answers_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Received::end;
    received_.append(bytes.data(), static_cast<std::size_t>(count));
    if (received_.size() > longest_line) return Received::end;
  }
}

}  // namespace tilewright::verification
