#include "support/child_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace tilewright::test {
namespace {

int wait_for(pid_t id) {
  int status = 0;
  if (waitpid(id, &status, 0) != id) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  id_ = fork();
  if (id_ < 0) throw std::runtime_error("fork failed");
  if (id_ > 0) return;
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

int run_in_child(int (*function)(const std::string& argument), const std::string& argument) {
  const pid_t id = fork();
  if (id < 0) throw std::runtime_error("fork failed");
  if (id == 0) _exit(function(argument));
  return wait_for(id);
}

}  // namespace tilewright::test
