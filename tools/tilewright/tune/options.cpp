#include "tune/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "files/matrix_file.hpp"
#include "files/shapes_file.hpp"
#include "options/literal_words.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"
#include "options/shape.hpp"
#include "text/suggest.hpp"
#include "text/text.hpp"
#include "tuning/search/search.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

std::vector<std::string> variants_of(const tuning::Operation& operation) {
  std::vector<std::string> names;
  for (const VariantInfo& variant : operation.variants()) names.push_back(variant.name);
  return names;
}

// Names of all operations' variants, without duplicates.
std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const tuning::Operation* const operation : tuning::operations())
    for (const std::string& name : variants_of(*operation))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

void TuneCommandOptions::add_to(CLI::App& command) {
  defaults.operation.add_to(command);
  add_device_option(command, defaults.product.device);
  command.add_option("--type", types, fmt::format("element types, comma-separated: {}", join_words(type_names())))
      ->delimiter(',')
      ->check(one_of("type", type_names()))
      ->capture_default_str();
  command
      .add_option("--shape", single_shapes,
                  "sizes to tune, comma-separated, instead of a list: MxNxK for a product, MxN for a matrix")
      ->delimiter(',');
  shapes_option =
      command.add_option("--shapes", shapes, fmt::format("shapes to tune: default, quick, or {}", shapes_table_help))
          ->capture_default_str();
  defaults.product.add_form_to(command);
  CLI::Option* const for_option = command.add_flag(
      "--for", for_program,
      "tune for the products of a program: runs it and records them; its command line follows --. Or for "
      "those of a report of the BLAS library, a file that ends in .json");
  for_option->needs(command.add_option(
      "words", words,
      fmt::format("with --for: the program and its arguments; with --op spmm: files of sparse matrices, {}",
                  sparse_files_help)));
  command
      .add_option("--budget", budget,
                  "60s, 10m or 1h for the whole run, a number of evaluations per shape, or full for all configurations")
      ->capture_default_str();
  const auto strategies = tuning::search_strategies();
  strategy = strategies.front();
  command.add_option("--strategy", strategy, "order in which configurations are tried")
      ->check(one_of("strategy", strategies))
      ->capture_default_str();
  command
      .add_option("--variant", variants,
                  "tune only these variants, comma-separated; stores the best of each besides the overall winner")
      ->delimiter(',')
      ->check(one_of("variant", variant_names()));
  command.add_option("--seed", seed, "seed of the random choices")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command.add_flag("--resume", resume, "continue an interrupted run");
  command.add_flag("--refresh", refresh, "tune shapes again that have records");
  CLI::Option* const yes = command.add_flag(
      "--isolate", isolate,
      "try configurations in a child process, so that a crash or hang does not end the run (default on CPUs)");
  command.add_flag("--no-isolate", no_isolate, "try configurations in this process (default on other devices)")
      ->excludes(yes);
  command
      .add_option("--limit", limit_seconds,
                  "with --isolate: time limit per configuration in seconds, compilation included")
      ->check(positive_number(86400))
      ->capture_default_str();
  command.add_flag("--verify-only", verify_only,
                   "verify and time the stored records again, for example after a driver update");
  command.add_option("--export-t4", t4_file, "write all results to this file in T4 format (JSON)");
  command.add_option(
      "--timings", timings_file,
      "write the timings of this run to this file, for `tilewright fit-times`; products on NVIDIA's GPUs");
  CLI::Option* const report =
      command.add_option("--report", report_file, "write a report with charts to this file (HTML)");
  command
      .add_option("--against", against,
                  "libraries to show in the report, comma-separated, timed after the run and outside the budget: "
                  "clblast, openblas")
      ->delimiter(',')
      ->needs(report);
  command.add_flag("--json", json, "print one JSON object per shape, and one for the program of --for");
}

void TuneCommandOptions::take_words() {
  if (words.empty()) return;
  if (!for_program && !defaults.operation.is_spmm())
    throw UsageError(
        "the words after the options are neither a program nor files; give a program with --for, and files of sparse "
        "matrices with --op spmm");
  (for_program ? program : defaults.operation.files) = literal_words(std::move(words));
}

bool TuneCommandOptions::reads_matrices() const {
  const auto presets = tuning::shape_presets();
  return defaults.operation.is_spmm() &&
         (!defaults.operation.files.empty() || std::find(presets.begin(), presets.end(), shapes) == presets.end());
}

const TuneOperation& TuneCommandOptions::operation() const {
  const TuneOperation& wanted = find_tune_operation(defaults.operation.name);
  const auto known = variants_of(wanted.operation);
  for (const std::string& variant : variants)
    if (std::find(known.begin(), known.end(), variant) == known.end())
      throw UsageError(unknown_word("variant of " + defaults.operation.name, variant, known));
  return wanted;
}

std::vector<tuning::Problem> TuneCommandOptions::problems(const DeviceProfile& profile) const {
  const TuneOperation& wanted = operation();
  const auto presets = tuning::shape_presets();
  const bool files = !defaults.operation.files.empty();
  const bool lists = (single_shapes.empty() && !files) || shapes_option->count() > 0;
  const bool preset = std::find(presets.begin(), presets.end(), shapes) != presets.end();
  if (lists && preset && defaults.operation.in_place)
    throw UsageError("--in-place goes with --shape or a table; the lists already contain in-place matrices");
  if (!defaults.operation.is_spmm()) defaults.operation.check_dense();
  if (lists && preset && !defaults.operation.columns.empty())
    throw UsageError("--columns goes with files; the lists already contain numbers of columns");
  if (isolate && reads_matrices())
    throw UsageError("--isolate does not go with files of matrices; leave one of them out");
  std::vector<tuning::Problem> result;
  const auto add = [&](const tuning::Problem& problem) {  // a table may name the types, so types may repeat a problem
    if (std::find(result.begin(), result.end(), problem) == result.end()) result.push_back(problem);
  };
  for (const std::string& type : types) {
    ProblemOptions each = defaults;
    each.product.type = type;
    for (const std::string& shape : single_shapes) add(wanted.read_shape(shape, each));
    if (files)
      for (const tuning::Problem& problem : wanted.read_files(each)) add(problem);
    if (!lists) continue;
    for (const tuning::Problem& problem :
         preset ? wanted.operation.preset(shapes, parse_type(type), profile) : wanted.read_table(shapes, each))
      add(problem);
  }
  return result;
}

void parse_budget(const std::string& text, tuning::TuneOptions& options) {
  constexpr double longest_seconds = 365 * 24 * 3600.0;
  constexpr double max_evaluations = 1e9;
  if (text == "full") {
    options.strategy = "full";
    return;
  }
  const auto wrong = [&](const std::string& why) {
    return UsageError(fmt::format("the budget '{}' {}; expected 60s, 10m, 1h, 200 or full", text, why));
  };
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) throw wrong("is out of range");
  if (error != std::errc() || !std::isfinite(value)) throw wrong("is not a number");
  if (!(value > 0)) throw wrong("is not positive");
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit == "s" || unit == "m" || unit == "h") {
    const double seconds = value * (unit == "s" ? 1 : unit == "m" ? 60 : 3600);
    if (seconds > longest_seconds) throw wrong("is longer than a year");
    options.budget.seconds = seconds;
  } else if (unit.empty()) {
    if (value > max_evaluations) throw wrong("is too large");
    options.budget.evaluations = static_cast<std::size_t>(std::max(value, 1.0));
  } else {
    throw wrong(fmt::format("has an unknown unit of time, '{}'", unit));
  }
}

}  // namespace tilewright::tool
