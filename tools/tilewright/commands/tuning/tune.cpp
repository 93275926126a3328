#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands/commands.hpp"
#include "commands/tuning/tune_worker.hpp"
#include "compare/references.hpp"
#include "files/blas_report.hpp"
#include "files/file_error.hpp"
#include "files/output_file.hpp"
#include "gemm/wave_constants.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/text.hpp"
#include "tilewright/records.hpp"
#include "tune/options.hpp"
#include "tune/output.hpp"
#include "tune/program.hpp"
#include "tune/records_place.hpp"
#include "tune/report.hpp"
#include "tune/times.hpp"
#include "tune/verify.hpp"
#include "tuning/operations/gemm_timings_file.hpp"
#include "tuning/report/t4.hpp"
#include "tuning/stored_results.hpp"
#include "usage_error.hpp"
#include "verification/common/temporary_file.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

std::atomic<bool> stop = false;

// The first signal requests a stop; a second one ends the process and its children.
extern "C" void request_stop(int signal_number) {
  if (!stop.exchange(true)) return;
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

// Removes problems that have their own record, made with this driver, and says so.
std::vector<Problem> without_known(std::vector<Problem> problems, const Operation& operation,
                                   const DeviceProfile& device, const Journal* journal) {
  const std::size_t before = problems.size();
  problems = without_records(std::move(problems), operation, device, journal);
  if (problems.size() < before)
    print_note(fmt::format("{} of {} {} in {}; use --refresh to tune them again", before - problems.size(),
                           count_of(before, "shape"), before == 1 ? "has records" : "have records",
                           records_file(device).value().string()));
  return problems;
}

// Judges the device's records by each other. Returns a summary; empty if nothing could be judged.
std::string summary_of_records(const Operation& operation, const DeviceProfile& device) {
  const auto found = cross_validate_records(operation, device);
  if (found.judged == 0) return {};
  std::string text = fmt::format("{} with choices from records of other shapes: {:.2f} times as fast as untuned",
                                 count_of(found.judged, "shape"), found.gain());
  if (!found.only_own.empty())
    text += fmt::format("; the records of {} do not help other shapes and apply to {} alone",
                        count_of(found.only_own.size(), "shape"), found.only_own.size() == 1 ? "it" : "these");
  return text;
}

std::unique_ptr<Journal> open_journal(const DeviceProfile& device, bool resume) try {
  const std::filesystem::path file = records_file(device).value();
  return std::make_unique<Journal>(file.parent_path() / "journal" / file.filename(), device, resume);
} catch (const JournalInUse& problem) {
  throw std::runtime_error(fmt::format("another tune is running on this device: {}", problem.what()));
}

// Checks that the outputs can be written and replace neither inputs nor each other. Throws FileError.
void check_outputs(const TuneCommandOptions& options) {
  std::vector<std::string> others = options.words;
  others.insert(others.end(), options.defaults.operation.files.begin(), options.defaults.operation.files.end());
  others.push_back(options.shapes);
  for (const std::string& output : {options.report_file, options.t4_file, options.timings_file}) {
    if (output.empty()) continue;
    check_output(output);
    for (const std::string& other : others)
      if (output == other || same_file(output, other))
        throw FileError(FileErrorCode::cannot_write, output,
                        fmt::format("is also {}, which this run reads or writes; name another file", other));
    others.push_back(output);
  }
}

// Checks everything that needs no device. Throws UsageError, FileError.
TuneOptions checked(const TuneCommandOptions& options) {
  const TuneOperation& wanted = options.operation();
  TuneOptions tune{
      .budget = {}, .strategy = options.strategy, .seed = options.seed, .stop = &stop, .variants = options.variants};
  parse_budget(options.budget, tune);
  check_references(options.against);
  if (!options.against.empty() && wanted.time_references == nullptr)
    throw UsageError(fmt::format("no library to compare {} with; leave out --against", wanted.operation.name));
  if (!(options.limit_seconds > 0)) throw UsageError("the limit is not a number of seconds above 0");
  check_outputs(options);
  return tune;
}

int tune(const TuneCommandOptions& options) {
  TuneOptions tune = checked(options);
  const Operation& operation = options.operation().operation;
  const Session session(options.defaults.product.device);
  const DeviceProfile& device = session.device().profile;
  DeviceEvaluator bench(session.engine());
  std::unique_ptr<Evaluator> isolated;
  if (options.isolates(device)) isolated = make_isolated_evaluator(session, options.limit_seconds);
  Evaluator& evaluator = isolated ? *isolated : bench;
  if (options.verify_only) return verify_records(session, operation, evaluator, bench, stop, options.json);

  require_records_place(device);
  if (!options.timings_file.empty() && !detail::has_wave_times(device))
    throw UsageError(fmt::format("--timings is for NVIDIA's GPUs, whose times of products a model predicts, not for {}",
                                 device.name));
  auto problems = options.problems(device);
  auto journal = options.resume ? open_journal(device, true) : nullptr;
  if (!options.refresh) problems = without_known(std::move(problems), operation, device, journal.get());
  if (problems.empty()) return 0;
  for (const Problem& problem : problems) {
    if (const auto type = problem->arithmetic()) check_references(options.against, *type);
    session.require_memory(problem->work().bytes);
  }
  if (!isolated) tune.threads = tuning_threads(device);
  if (!options.json)
    fmt::print("device {}  {}, {}, budget {}, {} search, seed {}\n", session.device().index(), device.name,
               count_of(problems.size(), "shape"), options.budget, tune.strategy, options.seed);

  if (!journal) journal = open_journal(device, false);
  // Measured before tuning, which uses the rest of the time budget.
  std::optional<Roofline> roofline;
  if (!options.report_file.empty()) roofline = measure_limits(session, problems);
  Tuner tuner(session.engine(), evaluator, bench, *journal, tune);
  RowPrinter table = make_tune_table(problems.front()->work());
  bool stored = true;
  const auto keep = [&](const Tuned& tuned) {
    try {
      store(tuned, operation, device);
    } catch (const std::exception& problem) {
      stored = false;
      print_error(problem.what());
    }
  };
  const auto results = tuner.run(
      problems, [&](const TuneProgress& progress) { show_tuning(progress, problems.size()); },
      [&](const Tuned& tuned) {
        print_tuned(tuned, operation, session.device(), options.json, table);
        keep(tuned);
      });
  clear_progress();
  for (const Tuned& tuned : results)
    if (!tuned.others.empty()) keep(tuned);

  if (!options.t4_file.empty()) write_text(options.t4_file, to_t4(results, device));
  if (!options.report_file.empty()) write_report(session, results, roofline, options, tune.strategy, stop);
  const std::vector<TimedProduct> timings = timings_of_run(results, device);
  if (!options.timings_file.empty()) write_text(options.timings_file, text_of(device, timings));
  double logarithms = 0;
  std::size_t count = 0;
  for (const Tuned& tuned : results)
    if (tuned.best.seconds > 0) {
      logarithms += std::log(tuned.speedup());
      ++count;
    }
  if (!options.json && count > 0)
    fmt::print("geometric mean over {}: {:.2f} times as fast as untuned; records in {}\n", count_of(count, "shape"),
               std::exp(logarithms / static_cast<double>(count)), records_file(device).value_or("nowhere").string());
  if (!stop) {
    try {
      if (const std::string judged = summary_of_records(operation, device); !judged.empty()) print_note(judged);
      if (const std::string fitted = refit_times(timings, device); !fitted.empty()) print_note(fitted);
    } catch (const std::exception& problem) {
      stored = false;
      print_error(problem.what());
    }
  }
  print_noise(results);
  print_cut_work(results);
  if (!tuner.failure().empty()) throw std::runtime_error(tuner.failure() + "; continue with --resume");
  if (stop) print_note("stopped; continue with --resume");
  return count == results.size() && stored && !stop ? 0 : 1;
}

// Records the program's products, then times the program before and after tuning. A run before each timed run compiles
// its kernels.
int tune_for_program(TuneCommandOptions options) {
  checked(options);
  require_records_place(pick_device(options.defaults.product.device).profile);
  if (options.defaults.operation.name != "gemm")
    throw UsageError("--for records products and goes with --op gemm only");
  if (options.shapes_option->count() > 0 || !options.single_shapes.empty())
    throw UsageError("--for finds the shapes itself; leave out --shape and --shapes");
  const std::string name = fmt::format("{}", fmt::join(options.program, " "));
  const auto run = [&](const std::string& shapes) {
    const ProgramRun result = run_program(options.program, shapes, stop);
    if (stop) throw std::runtime_error("stopped");
    if (!result.failure.empty()) throw std::runtime_error(fmt::format("{} {}", in_quotes(name), result.failure));
    return result.seconds;
  };
  const verification::TemporaryFile noted;
  run(noted.path());
  if (std::filesystem::file_size(noted.path()) == 0)
    throw std::runtime_error(fmt::format(
        "{} does no product with Tilewright, or ignores TILEWRIGHT_RECORD_SHAPES, as set-user-ID programs do",
        in_quotes(name)));
  const double before = run({});
  options.shapes = noted.path();
  const int status = tune(options);
  if (stop) return status;
  run({});
  const double after = run({});
  if (options.json)
    print_json({{"program", name}, {"seconds_before", before}, {"seconds_after", after}});
  else
    fmt::print("{}: {} before, {} after\n", name, format_seconds(before), format_seconds(after));
  return status;
}

// Whether --for names a report of the BLAS library instead of a program.
bool names_report(const TuneCommandOptions& options) {
  return options.program.size() == 1 && std::filesystem::path(options.program[0]).extension() == ".json";
}

int tune_for_report(TuneCommandOptions options) {
  if (options.defaults.operation.name != "gemm")
    throw UsageError("a report holds products and goes with --op gemm only");
  if (options.shapes_option->count() > 0 || !options.single_shapes.empty())
    throw UsageError("--for finds the shapes itself; leave out --shape and --shapes");
  const std::string table = products_of_report(options.program[0]);
  if (table.find('\n') + 1 == table.size())
    throw std::runtime_error(fmt::format("{} holds no product", in_quotes(options.program[0])));
  const verification::TemporaryFile shapes;
  write_text(shapes.path(), table);
  options.shapes = shapes.path();
  return tune(options);
}

int run(const TuneCommandOptions& options) {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit then fails like a full disk
  if (options.program.empty()) return tune(options);
  return names_report(options) ? tune_for_report(options) : tune_for_program(options);
}

}  // namespace

void add_tune_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("tune", "Find and store the fastest kernels and parameters for this device");
  const auto options = std::make_shared<TuneCommandOptions>();
  options->add_to(*command);
  command->footer(
      "Verifies every configuration before timing it; before storing the best, verifies it at all edges of its tiles.\n"
      "Examples:\n"
      "  tilewright tune --budget 10m\n"
      "  tilewright tune --shape 4096x512x1024 --trans TN\n"
      "  tilewright tune --type f32,f64 --shapes mine.csv --report tune.html\n"
      "  tilewright tune --op spmm A.npz --columns 1,32\n"
      "  tilewright tune --for -- ./simulation --steps 10\n"
      "  tilewright tune --for calls.json");
  command->callback([&action, options] {
    action = [options] {
      options->take_words();
      return run(*options);
    };
  });
}

}  // namespace tilewright::tool
