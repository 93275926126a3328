#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "options/literal_words.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/icd_environment.hpp"
#include "text/messages.hpp"
#include "text/text.hpp"
#include "tilewright/device.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct RunOptions {
  std::string mode;
  std::string report;
  std::string device;
  bool json = false;
  std::vector<std::string> program;
};

// The library is next to an installed command's libraries, or in the build directory.
std::string blas_library() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  for (const char* place : {TILEWRIGHT_BLAS_FROM_COMMAND, TILEWRIGHT_BLAS_FROM_BUILD}) {
    const fs::path path = command.parent_path() / place;
    if (!fs::is_regular_file(path, error)) continue;
    std::string library = fs::canonical(path).string();
    if (library.find_first_of(" :") != std::string::npos)
      throw std::runtime_error(
          fmt::format("{} cannot be preloaded, because LD_PRELOAD separates names by spaces and colons; install "
                      "Tilewright in a directory whose path has neither",
                      in_quotes(library)));
    return library;
  }
  throw std::runtime_error(
      fmt::format("libtilewright-blas.so was not found at {} from {}; build it with TILEWRIGHT_BUILD_BLAS=ON, or "
                  "install the component blas",
                  TILEWRIGHT_BLAS_FROM_COMMAND, command.parent_path().string()));
}

void set(const char* variable, const std::string& value) { setenv(variable, value.c_str(), 1); }

// The report is written when the program ends, so a path that cannot be written must be found before. Removes the
// report of an earlier run, because a program without BLAS calls writes none.
void prepare_report(const std::string& report) {
  namespace fs = std::filesystem;
  std::string path = report;
  // The program keeps this process's number.
  if (const std::size_t place = path.find("%p"); place != std::string::npos)
    path.replace(place, 2, std::to_string(getpid()));
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error) && !fs::is_directory(path, error)) return;
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr)
    throw std::runtime_error(
        fmt::format("the report {} cannot be written: {}", in_quotes(path), detail::error_text(errno)));
  std::fclose(file);
  fs::remove(path, error);
}

// Replaces this process by the program, whose exit status and signals are then its own.
int run(const RunOptions& options) {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  const std::string library = blas_library();
  if (!options.device.empty()) {
    pick_device(options.device);  // throws if there is no such device
    detail::restore_icd_environment();
  }
  if (!options.report.empty()) prepare_report(options.report);
  set("LD_PRELOAD", library + (preloaded != nullptr && *preloaded != 0 ? fmt::format(":{}", preloaded) : ""));
  if (!options.mode.empty()) set("TILEWRIGHT_BLAS", options.mode);
  if (!options.device.empty()) set("TILEWRIGHT_DEVICE", options.device);
  if (!options.report.empty())
    set("TILEWRIGHT_BLAS_REPORT", std::filesystem::absolute(options.report).string());
  else
    setenv("TILEWRIGHT_BLAS_REPORT", "1", 0);
  const std::vector<std::string> program = literal_words(options.program);
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  const int cause = errno;
  print_error(fmt::format("{} cannot be started: {}; expected a program on the PATH or a path to one",
                          in_quotes(program.front()), detail::error_text(cause)));
  return cause == ENOENT ? 127 : 126;  // as shells do
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("run", "Run a program whose BLAS and LAPACK calls may use the device, without changing it");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("--blas", options->mode, "which calls use the device: auto (the faster side), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("MODE");
  command
      ->add_option("--report", options->report,
                   "write the report to this file as JSON, not to standard error; %p in its name becomes the "
                   "number of the process")
      ->type_name("FILE");
  command->add_option("--device", options->device, "device by index or name; default: TILEWRIGHT_DEVICE")
      ->type_name("DEVICE");
  command->add_flag("--json", options->json, "print messages of this command as JSON");
  command->add_option("program", options->program, "the program and its arguments, after --")
      ->required()
      ->type_name("PROGRAM");
  command->footer(
      "Preloads libtilewright-blas.so. When the program ends, a report shows its calls, their times and the side that\n"
      "computed them. The exit status is the program's; 127 if it does not exist, 126 if it cannot be started.\n"
      "Examples:\n"
      "  tilewright run -- python3 analysis.py\n"
      "  tilewright run --blas always --report calls.json -- octave-cli model.m\n"
      "  tilewright tune --for -- tilewright run --blas always -- ./simulation");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
