#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/suggest.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"
#include "verification/check/isolated_check.hpp"
#include "verification/check/oclgrind.hpp"
#include "verification/check/repeat.hpp"
#include "verification/check/worker_process.hpp"
#include "verification/check_worker.hpp"
#include "verification/checked_operations.hpp"

namespace tilewright::tool {
namespace {

using verification::Breadth;
using verification::CheckedPart;
using verification::CheckReport;
using verification::CheckRequest;

struct CheckOptions {
  std::string operation = "gemm";
  const CLI::Option* operation_option = nullptr;
  std::string variant;
  std::string device;
  std::string one_case;
  bool quick = false;
  bool oclgrind = false;
  bool json = false;
};

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const auto& operation : verification::checked_operations()) names.emplace_back(operation.name);
  return names;
}

/// Returns the names of operations and of their functions, such as "lu" and "getrf".
std::vector<std::string> names_to_check() {
  std::vector<std::string> names = operation_names();
  for (const auto& operation : verification::checked_operations())
    if (operation.has_functions)
      for (std::string& function : operation.variants())
        if (std::find(names.begin(), names.end(), function) == names.end()) names.push_back(std::move(function));
  return names;
}

/// Replaces a function in --op, such as getrf, by its operation and --variant.
void resolve_function(CheckOptions& options) {
  const std::string name = options.operation;
  const auto operations = operation_names();
  if (std::find(operations.begin(), operations.end(), name) != operations.end()) return;
  if (!options.variant.empty())
    throw UsageError(fmt::format("--op {} is a function, so it has no variants; leave --variant out", name));
  for (const auto& operation : verification::checked_operations()) {
    const auto variants = operation.variants();
    if (!operation.has_functions || std::find(variants.begin(), variants.end(), name) == variants.end()) continue;
    options.operation = operation.name;
    if (options.one_case.empty()) options.variant = name;
  }
}

/// True if --op is given without --variant and --case: checks the whole operation.
bool checks_all(const CheckOptions& options) {
  return options.variant.empty() && options.one_case.empty() && options.operation_option->count() > 0;
}

void check_usage(const CheckOptions& options) {
  if (options.variant.empty() == options.one_case.empty() && !checks_all(options))
    throw UsageError("nothing to check: give --variant, --case, or --op alone for a whole operation");
  if (options.oclgrind && !options.device.empty())
    throw UsageError("--oclgrind selects a device itself; leave --device out");
  if (options.variant.empty()) return;
  const auto names = verification::find_checked_operation(options.operation).variants();
  if (std::find(names.begin(), names.end(), options.variant) == names.end())
    throw UsageError(unknown_word("variant", options.variant, names));
}

/// Oclgrind interprets kernels, so its checks are always quick.
CheckRequest request_of(const CheckOptions& options, const std::string& variant, const std::string& oclgrind) {
  return {.operation = options.operation,
          .variant = variant,
          .breadth = options.quick || !oclgrind.empty() ? Breadth::quick : Breadth::normal,
          .device = options.device,
          .oclgrind = oclgrind,
          .one_case = options.one_case};
}

std::string repeat_line(const CheckRequest& request, const CheckReport& report) {
  const std::string where =
      request.oclgrind.empty() ? "--device " + verification::in_shell_quotes(report.index) : "--oclgrind";
  return fmt::format("{}tilewright check --op {} {} --case {}", verification::driver_settings(), request.operation,
                     where, verification::in_shell_quotes(report.failed));
}

void print_part(const CheckRequest& request, const CheckReport& report, const CheckedPart& part, RowPrinter& rows) {
  const bool is_last = &part == &report.parts.back();
  const bool is_wrong = is_last && !report.wrong.empty();
  const std::string result = is_wrong ? "WRONG" : part.skipped.empty() ? "ok" : "skipped: " + part.skipped;
  fmt::print("{}",
             rows.add_row({report.device, request.oclgrind.empty() ? std::string(to_string(request.breadth)) : "quick",
                           request.variant, part.name, std::to_string(part.cases), std::to_string(part.kernels.size()),
                           format_seconds(part.seconds), Cell(result, is_wrong ? Style::bad : Style::plain)}));
  std::fflush(stdout);
}

void print_part_json(const CheckRequest& request, const CheckReport& report, const CheckedPart& part) {
  const bool is_wrong = &part == &report.parts.back() && !report.wrong.empty();
  Json line{{"operation", request.operation},
            {"variant", request.variant},
            {"part", part.name},
            {"breadth", to_string(request.breadth)},
            {"cases", part.cases},
            {"kernels", part.kernels.size()},
            {"seconds", part.seconds},
            {"skipped", part.skipped.empty() ? Json() : Json(part.skipped)},
            {"verified", !is_wrong && !part.kernels.empty()}};
  if (is_wrong) {
    line["wrong"] = report.wrong;
    line["case"] = report.failed;
    line["repeat"] = repeat_line(request, report);
  }
  line.update({{"device", report.device}, {"device_index", report.index}});
  line.update({{"platform", report.platform}, {"driver", report.driver}});
  print_json(line);
}

/// Explains why a run without failures proves nothing; empty if a kernel ran.
std::string why_nothing_ran(const CheckRequest& request, const CheckReport& report) {
  if (!request.one_case.empty()) return {};  // a case that only compares rules runs no kernel
  std::string reasons;
  for (const CheckedPart& part : report.parts) {
    if (!part.kernels.empty()) return {};
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", part.name, part.skipped);
  }
  return fmt::format("no kernel of {} ran on {}; only its rules were checked ({})", request.variant, report.device,
                     reasons);
}

int run_on_device(const CheckOptions& options, const CheckRequest& request, RowPrinter& rows) {
  std::vector<std::string> command{verification::path_of_this_program(), "check-worker"};
  if (options.json) command.emplace_back("--json");
  verification::CheckLimits limits;
  constexpr double interpreter = 10;  // slowdown of the interpreter
  if (!request.oclgrind.empty()) limits.busy_seconds *= interpreter;
  const CheckReport report = run_check(command, request, limits, [&](const CheckedPart& part, const std::string& text) {
    show_progress(fmt::format("{} case {}: {}", part.name, part.cases + 1, text));
  });
  clear_progress();
  for (const CheckedPart& part : report.parts)
    options.json ? print_part_json(request, report, part) : print_part(request, report, part, rows);
  if (!report.wrong.empty()) {
    const std::string what = request.variant.empty() ? "the case" : request.operation + ' ' + request.variant;
    print_error(fmt::format("{} fails on {}: {}", what, report.device, report.wrong) +
                (report.failed.empty()
                     ? std::string()
                     : fmt::format("\n  case: {}\n  repeat: {}", report.failed, repeat_line(request, report))));
    return ExitStatus::failed;
  }
  if (const std::string why = why_nothing_ran(request, report); !why.empty()) {
    if (checks_all(options)) {  // other variants may run
      print_note(why);
      return 0;
    }
    print_error(why);
    return ExitStatus::failed;
  }
  return 0;
}

int check_variant(const CheckOptions& options, const std::string& variant, const std::string& oclgrind,
                  RowPrinter& rows) {
  if (!options.oclgrind) {
    const int status = run_on_device(options, request_of(options, variant, {}), rows);
    if (status != 0 || options.quick || !options.one_case.empty()) return status;
    if (oclgrind.empty()) {
      print_note("Oclgrind is not installed, so races and uninitialised reads were not checked");
      return 0;
    }
  }
  return run_on_device(options, request_of(options, variant, oclgrind), rows);
}

int run(CheckOptions options) {
  resolve_function(options);
  check_usage(options);
  const std::string oclgrind = verification::find_oclgrind();
  if (options.oclgrind && oclgrind.empty())
    throw std::runtime_error(
        "Oclgrind is not installed: its driver, liboclgrind-rt-icd.so, is neither next to the `oclgrind` in PATH nor "
        "in /usr or /usr/local; install the package oclgrind (Debian, Ubuntu)");
  RowPrinter rows({{"device", false, false, 34},
                   {"breadth", false, false, 7},
                   {"variant", false, false, 18},
                   {"part", false, false, 12},
                   {"cases", true, false, 5},
                   {"kernels", true, false, 7},
                   {"time", true, false, 8},
                   {"result"}},
                  output_page());
  if (!checks_all(options)) return check_variant(options, options.variant, oclgrind, rows);
  for (const std::string& variant : verification::find_checked_operation(options.operation).variants())
    if (const int status = check_variant(options, variant, oclgrind, rows); status != 0) return status;
  return 0;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("check", "Verify a variant or an operation in all ways to call it; stop at the first failure");
  const auto options = std::make_shared<CheckOptions>();
  command->add_option("--variant", options->variant,
                      "variant to check, for example register_blocked; of operations without variants a function, for "
                      "example dot or getrf");
  options->operation_option =
      command
          ->add_option("--op", options->operation,
                       fmt::format("operation of the variant: {}; without --variant, all its variants are checked. Or "
                                   "one function, for example getrf",
                                   join_words(operation_names())))
          ->check(one_of("operation", names_to_check()))
          ->capture_default_str();
  command->add_flag("--quick", options->quick, "fewer sizes and configurations, and no Oclgrind: takes seconds");
  command->add_flag("--oclgrind", options->oclgrind,
                    "check on Oclgrind only, an interpreter that finds out-of-bounds accesses, races between "
                    "work-items and uninitialised reads");
  command->add_option("--case", options->one_case, "check a single case, in the form that a failure prints");
  add_device_option(*command, options->device);
  command->add_flag("--json", options->json, "print one JSON object per part");
  command->footer(
      "Checks sizes at every tile edge, and all layouts, transposes, scalars and batches. Covers the configurations "
      "that can\n"
      "be chosen and some that the tuner may try. Compares the variant's constraints with the #errors of its kernel,\n"
      "and its local memory with the driver's report. Each function of triangular, cholesky and lu has parts for its\n"
      "forms, orders, batches and extreme numbers; its results must keep the error bounds of the documentation.\n"
      "On CPUs, inaccessible pages surround the matrices, so that an access past an edge ends the child process that\n"
      "runs the kernels. Without --quick, a quick run on Oclgrind follows if Oclgrind is installed. A failure prints\n"
      "the command that repeats it.\n"
      "Example:\n"
      "  tilewright check --variant register_blocked --quick\n"
      "  tilewright check --op lu --quick\n"
      "  tilewright check --op getrf --device 1:0");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

void add_check_worker_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("check-worker", "worker process of check")->group("");
  command->add_flag("--json");
  command->callback([&action] { action = verification::serve_check; });
}

}  // namespace tilewright::tool
