#include <fmt/chrono.h>
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <memory>
#include <set>
#include <span>

#include "commands.hpp"
#include "contender.hpp"
#include "format.hpp"
#include "gemm/problem.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "records/json.hpp"
#include "records/record_json.hpp"
#include "session.hpp"
#include "shape.hpp"
#include "tilewright/log.hpp"
#include "tilewright/version.hpp"
#include "tune_options.hpp"
#include "tune_references.hpp"
#include "tune_worker.hpp"
#include "tuning/report.hpp"
#include "tuning/roofline.hpp"
#include "tuning/t4.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

std::atomic<bool> stop = false;

void request_stop(int) {
  stop = true;
  std::signal(SIGINT, SIG_DFL);  // the second one ends the process
}

std::string counts_of(const std::map<Status, std::size_t>& counts) {
  std::string text;
  for (const auto& [status, count] : counts)
    if (status != Status::ok) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(status));
  return text;
}

double gflops(const GemmProblem& problem, double seconds) { return flops_of(problem) / seconds * 1e-9; }

void show(const TuneProgress& progress, std::size_t problems) {
  std::string text = fmt::format("[{}/{}] {}: {}, {} tried", progress.problem + 1, problems, to_string(*progress.shape),
                                 progress.activity, progress.evaluations);
  if (progress.best_seconds > 0)
    text += fmt::format(", best {} GFLOP/s", format_number(gflops(*progress.shape, progress.best_seconds)));
  if (const std::string failures = counts_of(*progress.counts); !failures.empty()) text += " (" + failures + ")";
  if (std::isfinite(progress.seconds_left))
    text += fmt::format(", {:.0f} s left", std::max(0.0, progress.seconds_left));
  show_progress(text);
}

void print_row(const Tuned& tuned, bool json, bool& first) {
  clear_progress();
  if (!tuned.problem_message.empty()) {
    fmt::print(stderr, "tilewright: {}: {}\n", to_string(tuned.problem), tuned.problem_message);
    return;
  }
  if (tuned.best.seconds == 0) return;
  std::map<Status, std::size_t> counts;
  for (const auto& [trial, evaluation] : tuned.evaluations) ++counts[evaluation.status];
  if (json) {
    nlohmann::ordered_json line = detail::to_json(records_of(tuned, {}).front());
    line["speedup"] = tuned.speedup();
    line["evaluations"] = tuned.evaluations.size();
    for (const auto& [status, count] : counts) line["statuses"][std::string(to_string(status))] = count;
    fmt::print("{}\n", line.dump());
  } else {
    if (first)
      fmt::print("{:<28} {:>11} {:>11} {:>7} {:>9} {:>6} {:>6}  {}\n", "product", "untuned", "tuned", "faster",
                 "GFLOP/s", "cv %", "tried", "best");
    first = false;
    fmt::print("{:<28} {:>11} {:>11} {:>7.2f} {:>9} {:>6.1f} {:>6}  {} {}{}\n", to_string(tuned.problem),
               format_seconds(tuned.untuned.seconds), format_seconds(tuned.best.seconds), tuned.speedup(),
               format_number(gflops(tuned.problem, tuned.best.seconds)), 100 * tuned.best.variation,
               tuned.evaluations.size(), tuned.best.trial.variant,
               tilewright::to_string(tuned.best.trial.configuration),
               counts_of(counts).empty() ? "" : "  (" + counts_of(counts) + ")");
  }
  std::fflush(stdout);
}

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

void write_report(const Session& session, const std::vector<Tuned>& results, const TuneCommandOptions& options,
                  const std::string& strategy) {
  const DeviceProfile& device = session.device().profile;
  TuneReport report{.device = device.name,
                    .platform = device.platform_name,
                    .driver = device.driver_version,
                    .library_version = std::string(version),
                    .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                    .budget = options.budget,
                    .strategy = strategy,
                    .seed = options.seed};
  std::set<DataType> types;
  for (const Tuned& tuned : results) {
    report.shapes.push_back({tuned});
    types.insert(tuned.problem.type);
    if (tuned.best.seconds > 0 && !options.against.empty() && !stop)
      report.shapes.back().references = time_references(session, tuned.problem, options.against);
  }
  show_progress("measuring the device's limits for the report");
  try {
    const Roofline roofline = measure_roofline(session.engine(), types);
    report.roofs = {{DataType::f32, roofline.gflops_f32}, {DataType::f64, roofline.gflops_f64}};
    report.bandwidth_gbytes = roofline.bandwidth_gbytes;
    clear_progress();
  } catch (const std::exception& problem) {  // no reason to lose the report
    clear_progress();
    fmt::print(stderr, "tilewright: the report has no roofline: {}\n", problem.what());
  }
  write_text(options.report_file, html_report(report));
}

// What has a record of its own, made with this driver, is left as it is.
std::vector<GemmProblem> without_records(std::vector<GemmProblem> problems, const DeviceProfile& device) {
  const auto file = records_file(device);
  if (!file) return problems;
  const RecordSet known = load_records(device);
  std::size_t before = problems.size();
  std::erase_if(problems, [&](const GemmProblem& problem) {
    const GemmProblem normalized = detail::normalized(problem);
    return std::any_of(known.records.begin(), known.records.end(), [&](const GemmRecord& record) {
      return record.source == *file && record.same_device && record.problem == normalized &&
             record.driver == device.driver_version;
    });
  });
  if (problems.size() < before)
    fmt::print(stderr, "tilewright: {} of {} shapes have records in {}; --refresh tunes them again\n",
               before - problems.size(), before, file->string());
  return problems;
}

// Whether a failure is the configuration's, which would have it again, and not one of the system that it was tried on:
// a process that was killed, memory that was short, a driver that could not compile just now.
bool is_its_own(Status status) { return status == Status::correctness || status == Status::constraints; }

int verify_records(const Session& session, Evaluator& evaluator) {
  const DeviceProfile& device = session.device().profile;
  const auto path = records_file(device);
  if (!path) throw std::runtime_error("there is no directory for records");
  const RecordSet set = read_records(*path, device);
  for (const std::string& problem : set.problems) fmt::print(stderr, "tilewright: {}\n", problem);
  std::vector<GemmRecord> before, after;  // what is stored, and what stands for it from now on
  bool all_right = set.problems.empty();
  for (std::size_t i = 0; i < set.records.size() && !stop; ++i) {
    GemmRecord record = set.records[i];
    show_progress(fmt::format("verifying record {} of {}", i + 1, set.records.size()));
    const Trial trial{record.problem, record.variant, record.configuration};
    Evaluation evaluation = evaluator.evaluate(trial);
    if (evaluation.status == Status::ok) {
      evaluation.message = evaluator.verify(trial);
      if (!evaluation.message.empty()) evaluation.status = Status::correctness;
    }
    clear_progress();
    const std::string name =
        fmt::format("{} {} {}", to_string(record.problem), record.variant, tilewright::to_string(record.configuration));
    if (evaluation.status != Status::ok) {
      all_right = false;
      const bool drops = is_its_own(evaluation.status);
      if (drops) before.push_back(record);
      fmt::print("{}: {}: {}: {}\n", drops ? "dropped" : "not verified, kept", name, to_string(evaluation.status),
                 evaluation.message);
      continue;
    }
    fmt::print("right: {}: {}, was {}\n", name, format_seconds(evaluation.seconds), format_seconds(record.seconds));
    before.push_back(record);
    record.seconds = evaluation.seconds;
    record.timings = evaluation.timings;
    record.driver = device.driver_version;
    after.push_back(std::move(record));
  }
  if (stop) return 1;  // half a verification changes nothing
  update_records(device, before, after);
  return all_right ? 0 : 1;
}

int run(const TuneCommandOptions& options) {
  TuneOptions tune{
      .budget = {}, .strategy = options.strategy, .seed = options.seed, .stop = &stop, .variants = options.variants};
  parse_budget(options.budget, tune);
  check_references(options.against);
  for (const std::string& file : {options.t4_file, options.report_file})
    if (!file.empty()) check_output(file);
  const Session session(options.device);
  const DeviceProfile& device = session.device().profile;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  DeviceEvaluator bench(session.engine());
  std::unique_ptr<Evaluator> isolated;
  if (options.isolates(device)) isolated = make_isolated_evaluator(session, options.limit_seconds);
  Evaluator& evaluator = isolated ? *isolated : bench;
  if (options.verify_only) return verify_records(session, evaluator);

  auto problems = options.problems(device);
  if (!options.refresh) problems = without_records(std::move(problems), device);
  if (problems.empty()) return 0;
  for (const GemmProblem& problem : problems) session.require_memory(problem);
  if (!isolated) tune.threads = tuning_threads(device);
  if (!options.json)
    fmt::print("device {}  {}, {} shapes, budget {}, {} search, seed {}\n", session.device().index(), device.name,
               problems.size(), options.budget, tune.strategy, options.seed);

  const auto directory = records_directory();
  const auto journal_path =
      directory ? *directory / "journal" / records_file(device)->filename() : std::filesystem::path();
  Journal journal(journal_path, device, options.resume);
  Tuner tuner(session.engine(), evaluator, bench, journal, tune);
  bool first = true;
  bool stored = true;
  const auto keep = [&](const Tuned& tuned) {
    try {
      store_records(device, records_of(tuned, device));
    } catch (const std::exception& problem) {
      stored = false;
      clear_progress();
      fmt::print(stderr, "tilewright: {}\n", problem.what());
    }
  };
  const auto results = tuner.run(
      problems, [&](const TuneProgress& progress) { show(progress, problems.size()); },
      [&](const Tuned& tuned) {
        print_row(tuned, options.json, first);
        keep(tuned);
      });
  clear_progress();
  for (const Tuned& tuned : results) keep(tuned);

  if (!options.t4_file.empty()) write_text(options.t4_file, to_t4(results, device));
  if (!options.report_file.empty()) write_report(session, results, options, tune.strategy);
  double logarithms = 0;
  std::size_t count = 0;
  for (const Tuned& tuned : results)
    if (tuned.best.seconds > 0) {
      logarithms += std::log(tuned.speedup());
      ++count;
    }
  if (!options.json && count > 0)
    fmt::print("geometric mean over {} shapes: {:.2f} times as fast as untuned; records in {}\n", count,
               std::exp(logarithms / static_cast<double>(count)), records_file(device).value_or("nowhere").string());
  if (stop) fmt::print(stderr, "tilewright: stopped; --resume goes on from here\n");
  return count == results.size() && stored && !stop ? 0 : 1;
}

}  // namespace

void add_tune_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("tune", "Find the fastest kernels and parameters for this device, and remember them");
  const auto options = std::make_shared<TuneCommandOptions>();
  options->add_to(*command);
  command->footer(
      "Every configuration is verified before it is timed, and the best at all their edges before one is kept.\n"
      "Examples:\n  tilewright tune --budget 10m\n  tilewright tune --type f32,f64 --shapes mine.csv --report "
      "tune.html");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
