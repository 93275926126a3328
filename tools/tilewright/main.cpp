// The command `tilewright`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "commands/commands.hpp"
#include "options/literal_words.hpp"
#include "pocl_threads.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/help_formatter.hpp"
#include "text/messages.hpp"
#include "text/page.hpp"
#include "text/parse_error.hpp"
#include "text/standard_streams.hpp"
#include "tilewright/log.hpp"
#include "tilewright/version.hpp"
#include "usage_error.hpp"

namespace {

using namespace tilewright::tool;

// Scans the raw arguments, because parsing them may fail.
bool wants_json(int argc, char** argv) {
  char** const end = std::find(argv + 1, argv + argc, std::string_view("--"));
  return std::find(argv + 1, end, std::string_view("--json")) != end;
}

void add_commands(CLI::App& app, Action& action) {
  add_devices_command(app, action);
  add_multiply_command(app, action);
  add_transpose_command(app, action);
  add_solve_command(app, action);
  add_inverse_command(app, action);
  add_lstsq_command(app, action);
  add_ladder_command(app, action);
  add_check_command(app, action);
  add_check_worker_command(app, action);
  add_bench_command(app, action);
  add_explain_command(app, action);
  add_tune_command(app, action);
  add_tune_worker_command(app, action);
  add_records_command(app, action);
  add_regret_command(app, action);
  add_fit_times_command(app, action);
  add_cache_command(app, action);
  add_run_command(app, action);
  add_help_command(app, action);
  add_document_command(app, action);
}

int run(CLI::App& app, int argc, char** argv) {
  app.footer(
      "Run `tilewright COMMAND --help` for a command's options and an example.\n"
      "Every command except help accepts --json: JSON results on standard output, JSON messages on standard error.\n"
      "Exit status: 0 if everything was done and verified; 1 if something could not be done or is wrong;\n"
      "2 if the command line cannot be understood.");
  app.formatter(std::make_shared<HelpFormatter>(output_page()));
  app.set_version_flag("--version", std::string(tilewright::version));
  app.require_subcommand(0, 1);
  app.add_flag_callback(
      "--verbose",
      [] {
        tilewright::set_debug_callback([](std::string_view message) { print_message(MessageKind::debug, message); });
      },
      "log the library's decisions on standard error, for example why it compiles a program");
  Action action;
  add_commands(app, action);
  try {
    app.parse(reversed_words(argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    throw UsageError(describe_parse_error(app, error));
  }
  // CLI11 would report an unknown command in the same way, so a missing command is checked here.
  if (!action) throw UsageError("a command is needed");

  const int status = action();
  // Failing to print a result is an error.
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    const std::string cause = errno == 0 ? "" : ": " + tilewright::detail::error_text(errno);
    throw std::runtime_error("writing the output failed" + cause);
  }
  return status;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): only CLI::App's constructor throws, for names that are wrong
int main(int argc, char** argv) {
  tilewright::tool::open_standard_streams();
  const tilewright::detail::CLocale c_locale;  // CLI11 parses numbers in the thread's locale
  CLI::App app("Matrix products on any OpenCL device.", "tilewright");
  try {
    pin_pocl(argc, argv);
    if (wants_json(argc, argv)) use_json_messages();
    tilewright::set_log_callback([](std::string_view message) { print_message(MessageKind::warning, message); });
    return run(app, argc, argv);
  } catch (const std::exception& error) {
    return report_failure(error, command_name(app) + " --help");
  }
}
