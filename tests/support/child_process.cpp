#include "support/child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "runtime/system/icd_environment.hpp"

namespace tilewright::test {
namespace {

int wait_for(pid_t id) {
  int status = 0;
  if (waitpid(id, &status, 0) != id) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> command, const std::string& output) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  detail::restore_icd_environment();
  id_ = fork();
  if (id_ < 0) throw std::runtime_error("fork failed");
  if (id_ > 0) return;
  if (!output.empty()) {
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, S_IRUSR | S_IWUSR);
    if (dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(126);
  }
  execv(words.front(), words.data());
  _exit(126);
}

ChildProcess::~ChildProcess() {
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

void ChildProcess::kill(int signal) const { ::kill(id_, signal); }

int ChildProcess::wait() {
  const int status = wait_for(id_);
  id_ = -1;
  return status;
}

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
}

int run_in_child(const std::function<int()>& function) {
  const pid_t id = fork();
  if (id < 0) throw std::runtime_error("fork failed");
  if (id > 0) return wait_for(id);
  try {
    _exit(function());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "exception in a child process: %s\n", error.what());
  } catch (...) {
    std::fputs("exception of an unknown type in a child process\n", stderr);
  }
  _exit(status_of_exception);
}

}  // namespace tilewright::test
