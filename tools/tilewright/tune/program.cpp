#include "tune/program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "pocl_threads.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/icd_environment.hpp"
#include "runtime/system/stopwatch.hpp"
#include "text/text.hpp"

namespace tilewright::tool {
namespace {

constexpr std::string_view recording = "TILEWRIGHT_RECORD_SHAPES=", affinity = "POCL_AFFINITY=";

std::vector<std::string> environment_with(const std::string& shapes) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with(recording) && !(has_pinned_pocl() && text.starts_with(affinity)))
      variables.emplace_back(text);
  }
  if (!shapes.empty()) variables.push_back(std::string(recording) + shapes);
  return variables;
}

// Returns pointers to the texts, terminated by null, as C functions expect.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Attributes of the child process: standard output is redirected to standard error, and signals have their default
// actions.
class SpawnOptions {
 public:
  SpawnOptions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE}) sigaddset(&signals, number);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnOptions() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Waits for the child and returns waitpid()'s status. Sends SIGTERM once `stop` is set.
int wait_for(pid_t child, const std::string& name, const std::atomic<bool>& stop) {
  int status = 0;
  for (bool asked = false;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR)
      throw std::runtime_error(fmt::format("waiting for {} failed: {}", in_quotes(name), detail::error_text(errno)));
    if (stop && !asked) asked = kill(child, SIGTERM) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& words, const std::string& shapes,
                       const std::atomic<bool>& stop) {
  detail::restore_icd_environment();
  std::vector<std::string> arguments = words, variables = environment_with(shapes);
  const SpawnOptions options;
  const detail::Stopwatch begin;
  pid_t child = 0;
  const int error = posix_spawnp(&child, words.at(0).c_str(), options.actions(), options.attributes(),
                                 pointers_to(arguments).data(), pointers_to(variables).data());
  if (error != 0)
    throw std::runtime_error(fmt::format("{} cannot be started: {}; expected a program on the PATH or a path to one",
                                         in_quotes(words[0]), detail::error_text(error)));
  const int status = wait_for(child, words[0], stop);
  ProgramRun run{.seconds = begin.seconds()};
  if (WIFSIGNALED(status))
    run.failure = fmt::format("was ended by signal {}", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    run.failure = fmt::format("ended with status {}", WEXITSTATUS(status));
  return run;
}

}  // namespace tilewright::tool
