#include "run_command.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "runtime/system/icd_environment.hpp"
#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

void redirect(int descriptor, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(125);
}

[[noreturn]] void execute(const std::vector<std::string>& arguments) {
  setenv("TILEWRIGHT_CACHE", "off", 0);  // keeps the user's cache out of tests
  std::vector<std::string> words{TILEWRIGHT_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(pointers.front(), pointers.data());
  _exit(126);
}

int wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& arguments) {
  const TemporaryDirectory directory;
  const std::string output = directory.file("output");
  const std::string errors = directory.file("errors");
  detail::restore_icd_environment();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    redirect(STDOUT_FILENO, output);
    redirect(STDERR_FILENO, errors);
    execute(arguments);
  }
  const int status = wait_for(child);
  return {status, directory.read("output"), directory.read("errors")};
}

CommandResult run_on_terminal(unsigned short columns, const std::vector<std::string>& arguments) {
  winsize size{};
  size.ws_row = 50;
  size.ws_col = columns;
  int terminal = -1;
  detail::restore_icd_environment();
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("forkpty failed");
  if (child == 0) {
    unsetenv("COLUMNS");
    setenv("TERM", "xterm", 1);
    execute(arguments);
  }
  CommandResult result;
  std::array<char, 4096> buffer{};
  // At the end read() fails with EIO.
  for (ssize_t count = 0; (count = read(terminal, buffer.data(), buffer.size())) > 0;)
    result.output.append(buffer.data(), static_cast<std::size_t>(count));
  close(terminal);
  result.status = wait_for(child);
  for (std::size_t at = 0; (at = result.output.find("\r\n", at)) != std::string::npos;) result.output.erase(at, 1);
  return result;
}

}  // namespace tilewright::test
