#include "run_command.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "temporary_directory.hpp"

namespace tilewright::test {
namespace {

void redirect(int descriptor, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(125);
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& arguments) {
  const TemporaryDirectory directory;
  const std::string output = directory.file("output");
  const std::string errors = directory.file("errors");
  std::vector<std::string> words{TILEWRIGHT_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    redirect(STDOUT_FILENO, output);
    redirect(STDERR_FILENO, errors);
    setenv("TILEWRIGHT_CACHE", "off", 0);  // not the user's own cache
    execv(pointers.front(), pointers.data());
    _exit(126);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), directory.read("output"),
          directory.read("errors")};
}

}  // namespace tilewright::test
