// The command `tilewright`: shows devices, multiplies matrices, measures how well that goes, keeps compiled programs.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <thread>

#include "commands.hpp"
#include "progress.hpp"
#include "tilewright/log.hpp"
#include "tilewright/version.hpp"

namespace {

constexpr int failure = 1;
constexpr int usage = 2;

int complain(std::string_view message, int status) {
  tilewright::tool::clear_progress();
  std::fprintf(stderr, "tilewright: %.*s\n", static_cast<int>(message.size()), message.data());
  return status;
}

// Short kernels leave the operating system no time to move PoCL's threads apart: unless each has a core of its own, the
// same product takes once or twice as long, and stays so for a whole run. PoCL would leave the cores that a process is
// confined to.
void pin_pocl() {
  if (std::thread::hardware_concurrency() == sysconf(_SC_NPROCESSORS_ONLN)) setenv("POCL_AFFINITY", "1", 0);
}

int run(int argc, char** argv) {
  pin_pocl();
  tilewright::set_log_callback([](std::string_view message) { complain(message, 0); });
  CLI::App app("Matrix products on any OpenCL device.", "tilewright");
  app.footer("`tilewright COMMAND --help` explains each command with an example.");
  app.set_version_flag("--version", std::string(tilewright::version));
  app.require_subcommand(0, 1);
  app.add_flag_callback(
      "--verbose", [] { tilewright::set_debug_callback([](std::string_view message) { complain(message, 0); }); },
      "tell on standard error what the library does, such as why it compiles a program");
  tilewright::tool::Action action;
  tilewright::tool::add_devices_command(app, action);
  tilewright::tool::add_multiply_command(app, action);
  tilewright::tool::add_ladder_command(app, action);
  tilewright::tool::add_bench_command(app, action);
  tilewright::tool::add_explain_command(app, action);
  tilewright::tool::add_tune_command(app, action);
  tilewright::tool::add_tune_worker_command(app, action);
  tilewright::tool::add_records_command(app, action);
  tilewright::tool::add_regret_command(app, action);
  tilewright::tool::add_cache_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain(std::string(error.what()) + "; see `tilewright --help`", usage);
  }
  // Not left to CLI11, which would say the same of a command that it does not know.
  if (!action) return complain("a command is needed; see `tilewright --help`", usage);

  const int status = action();
  // A result that could not be printed has not been delivered.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return complain("writing the output failed", failure);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("the host has too little memory", failure);
  } catch (const std::exception& error) {
    return complain(error.what(), failure);
  }
}
