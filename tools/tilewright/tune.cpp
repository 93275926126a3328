#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "commands.hpp"
#include "contender.hpp"
#include "format.hpp"
#include "gemm/problem.hpp"
#include "json_output.hpp"
#include "messages.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "records/record_json.hpp"
#include "records_place.hpp"
#include "session.hpp"
#include "shape.hpp"
#include "table.hpp"
#include "text.hpp"
#include "tilewright/log.hpp"
#include "tilewright/version.hpp"
#include "tune_options.hpp"
#include "tune_references.hpp"
#include "tune_worker.hpp"
#include "tuning/portfolio.hpp"
#include "tuning/report.hpp"
#include "tuning/roofline.hpp"
#include "tuning/t4.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

std::atomic<bool> stop = false;

// The first signal asks for an end, the second one ends the process; whatever it started goes with it.
extern "C" void request_stop(int signal_number) {
  if (!stop.exchange(true)) return;
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

std::string counts_of(const std::map<Status, std::size_t>& counts) {
  std::string text;
  for (const auto& [status, count] : counts)
    if (status != Status::ok) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(status));
  return text;
}

bool is_noisy(const Tuned& tuned) { return std::max(tuned.best.variation, tuned.untuned.variation) > noisy_variation; }

// What is to be said of a row, in brackets.
std::string notes_of(const Tuned& tuned, const std::map<Status, std::size_t>& counts) {
  std::string notes = counts_of(counts);
  if (is_noisy(tuned)) notes = notes.empty() ? "noisy" : "noisy; " + notes;
  return notes.empty() ? "" : "  (" + notes + ")";
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

RowPrinter make_table() {
  return {{{"product", false, false, 26},
           {"untuned", true, false, 8},
           {"tuned", true, false, 8},
           {"faster", true, false, 6},
           {"GFLOP/s", true, false, 7},
           {"cv %", true, true, 5},
           {"tried", true, true, 5},
           {"best", false, true, 70}},
          output_page()};
}

void print_row(const Tuned& tuned, const Device& device, bool json, RowPrinter& table) {
  clear_progress();
  if (!tuned.untuned_message.empty())
    print_error(
        fmt::format("{}: what the library runs untuned failed: {}", to_string(tuned.problem), tuned.untuned_message));
  if (!tuned.problem_message.empty()) {
    const bool begun = !tuned.out_of_time || !tuned.evaluations.empty();  // the others are counted in the end
    if (begun) print_error(fmt::format("{}: {}", to_string(tuned.problem), tuned.problem_message));
    return;
  }
  if (tuned.best.seconds == 0) return;
  std::map<Status, std::size_t> counts;
  for (const auto& [trial, evaluation] : tuned.evaluations) ++counts[evaluation.status];
  if (json) {
    Json line = detail::to_json(records_of(tuned, device.profile).front());
    line["speedup"] = tuned.speedup();
    line["evaluations"] = tuned.evaluations.size();
    for (const auto& [status, count] : counts) line["statuses"][std::string(to_string(status))] = count;
    add_device(line, device);
    fmt::print("{}", json_line(line));  // what cannot be printed is told at the end, when all is stored
    std::fflush(stdout);
    return;
  }
  fmt::print("{}", table.add_row(
                       {to_string(tuned.problem),
                        format_seconds(tuned.untuned.seconds),
                        format_seconds(tuned.best.seconds),
                        {fmt::format("{:.2f}", tuned.speedup()), tuned.speedup() > 1 ? Style::good : Style::plain},
                        format_number(gflops(tuned.problem, tuned.best.seconds)),
                        fmt::format("{:.1f}", 100 * tuned.best.variation),
                        std::to_string(tuned.evaluations.size()),
                        fmt::format("{} {}{}", tuned.best.trial.variant,
                                    tilewright::to_string(tuned.best.trial.configuration), notes_of(tuned, counts))}));
  std::fflush(stdout);
}

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

// For the report; nothing where it fails, which is no reason not to tune.
std::optional<Roofline> measure_limits(const Session& session, const std::vector<GemmProblem>& problems) try {
  std::set<DataType> types;
  for (const GemmProblem& problem : problems) types.insert(problem.type);
  show_progress("measuring the device's limits for the report");
  return measure_roofline(session.engine(), types);
} catch (const std::exception& problem) {
  print_error(fmt::format("the report has no roofline: {}", problem.what()));
  return std::nullopt;
}

void write_report(const Session& session, const std::vector<Tuned>& results, const std::optional<Roofline>& roofline,
                  const TuneCommandOptions& options, const std::string& strategy) {
  const DeviceProfile& device = session.device().profile;
  TuneReport report{.device = device.name,
                    .platform = device.platform_name,
                    .driver = device.driver_version,
                    .library_version = std::string(version),
                    .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                    .budget = options.budget,
                    .strategy = strategy,
                    .seed = options.seed};
  for (const Tuned& tuned : results) {
    report.shapes.push_back({tuned});
    if (tuned.best.seconds > 0 && !options.against.empty() && !stop)
      report.shapes.back().references = time_references(session, tuned.problem, options.against);
  }
  if (roofline) {
    report.roofs = {{DataType::f32, roofline->gflops_f32}, {DataType::f64, roofline->gflops_f64}};
    report.bandwidth_gbytes = roofline->bandwidth_gbytes;
  }
  write_text(options.report_file, html_report(report));
}

// What has a record of its own, made with this driver, is left as it is; but not what a run that goes on had begun.
std::vector<GemmProblem> without_records(std::vector<GemmProblem> problems, const DeviceProfile& device,
                                         const Journal* journal) {
  const auto file = records_file(device);
  if (!file) return problems;
  const RecordSet known = load_records(device);
  std::size_t before = problems.size();
  std::erase_if(problems, [&](const GemmProblem& problem) {
    const GemmProblem normalized = detail::normalized(problem);
    if (journal != nullptr && journal->is_unfinished(normalized)) return false;
    return std::any_of(known.records.begin(), known.records.end(), [&](const GemmRecord& record) {
      return record.source == *file && record.same_device && record.problem == normalized &&
             record.driver == device.driver_version;
    });
  });
  if (problems.size() < before)
    print_note(fmt::format("{} of {} {} in {}; --refresh tunes again what has them", before - problems.size(),
                           count_of(before, "shape"), before == 1 ? "has records" : "have records", file->string()));
  return problems;
}

// Whether a failure is the configuration's, which would have it again, and not one of the system that it was tried on:
// a process that was killed, memory that was short, a driver that could not compile just now.
bool is_its_own(Status status) { return status == Status::correctness || status == Status::constraints; }

// Times records of one problem anew, as its final did, beside what the library runs untuned. `trials` are of one
// problem and verified, the untuned first.
void time_anew(const Session& session, DeviceEvaluator& bench, const std::vector<Trial>& trials,
               std::vector<GemmRecord>& records, unsigned rounds) {
  std::vector<std::unique_ptr<GemmPlan>> plans;
  std::vector<const GemmPlan*> pointers;
  for (const Trial& trial : trials) {
    plans.push_back(make_trial_plan(session.engine(), trial));
    pointers.push_back(plans.back().get());
  }
  const auto seconds = bench.time_in_turns(trials.front().problem, pointers, rounds);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Timed result = timed(trials[i + trials.size() - records.size()], seconds[i + trials.size() - records.size()]);
    records[i].seconds = result.seconds;
    records[i].variation = result.variation;
    records[i].timings = result.timings;
    if (trials.size() > records.size()) records[i].untuned_seconds = median(seconds.front());
    records[i].driver = session.device().profile.driver_version;
  }
}

// What became of a record: "right", "dropped" or "not verified, kept".
void print_outcome(const GemmRecord& record, std::string_view outcome, const std::string& detail, const Device& device,
                   bool json) {
  clear_progress();
  if (json) {
    Json line = tilewright::detail::to_json(record);
    line["outcome"] = outcome;
    line["detail"] = detail;
    add_device(line, device);
    print_json(line);
    return;
  }
  fmt::print("{}: {} {} {}: {}\n", outcome, to_string(record.problem), record.variant,
             tilewright::to_string(record.configuration), detail);
}

// Verifies the records of one problem: those that stand for them from now on go to `after`, those that are replaced or
// dropped to `before`. Returns whether all were right.
bool verify_problem(const Session& session, Evaluator& evaluator, DeviceEvaluator& bench,
                    std::span<const GemmRecord> records, std::vector<GemmRecord>& before,
                    std::vector<GemmRecord>& after, bool json) {
  const GemmProblem& problem = records.front().problem;
  const auto check = [&](const Trial& trial) {
    const Evaluation evaluation = evaluator.evaluate(trial);
    return evaluation.timed() ? evaluator.verify(trial) : evaluation;
  };
  bool all_right = true;
  // Those of a final are timed as often again, the others less often, so that they stay less sure.
  std::vector<GemmRecord> finals, others;
  for (const GemmRecord& record : records) {
    if (stop) return false;
    const Evaluation evaluation = check({problem, record.variant, record.configuration});
    if (evaluation.status == Status::ok) {
      (record.timings > compare_rounds ? finals : others).push_back(record);
      continue;
    }
    all_right = false;
    const bool drops = is_its_own(evaluation.status);
    if (drops) before.push_back(record);
    print_outcome(record, drops ? "dropped" : "not verified, kept",
                  fmt::format("{}: {}", to_string(evaluation.status), evaluation.message), session.device(), json);
  }
  const Trial untuned = untuned_trial(session.device().profile, problem);
  const bool has_untuned = check(untuned).status == Status::ok;
  for (std::vector<GemmRecord>* const group : {&finals, &others}) {
    if (group->empty() || stop) continue;
    std::vector<Trial> trials;
    if (has_untuned) trials.push_back(untuned);
    for (const GemmRecord& record : *group) trials.push_back({problem, record.variant, record.configuration});
    std::vector<GemmRecord> anew = *group;
    time_anew(session, bench, trials, anew, group == &finals ? final_rounds : compare_rounds);
    for (std::size_t i = 0; i < anew.size(); ++i)
      print_outcome(anew[i], "right",
                    fmt::format("{}, was {}{}", format_seconds(anew[i].seconds), format_seconds((*group)[i].seconds),
                                anew[i].variation > noisy_variation ? " (noisy)" : ""),
                    session.device(), json);
    before.insert(before.end(), group->begin(), group->end());
    after.insert(after.end(), anew.begin(), anew.end());
  }
  return all_right;
}

int verify_records(const Session& session, Evaluator& evaluator, DeviceEvaluator& bench, bool json) {
  const DeviceProfile& device = session.device().profile;
  const auto path = records_file(device);
  if (!path) throw std::runtime_error("there is no directory for records");
  RecordSet set = read_records(*path, device);
  for (const std::string& problem : set.problems) print_error(problem);
  std::vector<GemmRecord> before, after;  // what is stored, and what stands for it from now on
  bool all_right = set.problems.empty();
  for (auto first = set.records.begin(); first != set.records.end() && !stop;) {
    show_progress(fmt::format("verifying record {} of {}", first - set.records.begin() + 1, set.records.size()));
    const GemmProblem problem = first->problem;
    const auto last = std::stable_partition(first, set.records.end(),
                                            [&](const GemmRecord& record) { return record.problem == problem; });
    all_right = verify_problem(session, evaluator, bench, {first, last}, before, after, json) && all_right;
    first = last;
  }
  clear_progress();
  if (stop) return 1;  // half a verification changes nothing
  update_records(device, before, after);
  return all_right ? 0 : 1;
}

// Stores what was found for a problem in place of what was known of it: what was timed in another hour must not pass
// for better than the winner that was printed.
void store(const Tuned& tuned, const DeviceProfile& device) {
  const std::vector<GemmRecord> records = records_of(tuned, device);
  if (records.empty()) return;
  std::vector<GemmRecord> gone;
  if (const auto file = records_file(device); file && std::filesystem::exists(*file))
    for (GemmRecord& record : read_records(*file, device).records)
      if (record.problem == tuned.problem) gone.push_back(std::move(record));
  update_records(device, gone, records);
}

std::unique_ptr<Journal> open_journal(const DeviceProfile& device, bool resume) try {
  const std::filesystem::path file = records_file(device).value();
  return std::make_unique<Journal>(file.parent_path() / "journal" / file.filename(), device, resume);
} catch (const JournalInUse& problem) {
  throw std::runtime_error(fmt::format("another tune is running on this device: {}", problem.what()));
}

// What the budget's time did not suffice for.
void tell_what_was_cut(const std::vector<Tuned>& results) {
  std::size_t shapes = 0;
  std::size_t unverified = 0;
  std::size_t uncompared = 0;
  for (const Tuned& tuned : results) {
    shapes += tuned.out_of_time ? 1U : 0U;
    unverified += tuned.out_of_time ? 0 : tuned.unverified;
    uncompared += tuned.uncompared;
  }
  std::string cut;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) cut += fmt::format("{}{} {}", cut.empty() ? "" : ", ", count, what);
  };
  add(shapes, shapes == 1 ? "shape was not tuned" : "shapes were not tuned");
  add(unverified, "of the fastest configurations were not verified and so not taken");
  add(uncompared, "times of one shape's best on another shape were not taken");
  if (!cut.empty()) print_note("for lack of time " + cut);
}

void tell_noise(const std::vector<Tuned>& results) {
  const auto noisy = std::count_if(results.begin(), results.end(), is_noisy);
  if (noisy > 0)
    print_note(
        fmt::format("the timings of {} of {} are noisy: they vary by more than {:.0f} %; end what else runs on the "
                    "device, then tune these again with --refresh",
                    noisy, count_of(results.size(), "shape"), 100 * noisy_variation));
}

int run(const TuneCommandOptions& options) {
  TuneOptions tune{
      .budget = {}, .strategy = options.strategy, .seed = options.seed, .stop = &stop, .variants = options.variants};
  parse_budget(options.budget, tune);
  check_references(options.against);
  if (!(options.limit_seconds > 0)) throw UsageError("the limit is no number of seconds");  // but NaN
  for (const std::string& file : {options.t4_file, options.report_file})
    if (!file.empty()) check_output(file);
  const Session session(options.device);
  const DeviceProfile& device = session.device().profile;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is a full disk, no more
  DeviceEvaluator bench(session.engine());
  std::unique_ptr<Evaluator> isolated;
  if (options.isolates(device)) isolated = make_isolated_evaluator(session, options.limit_seconds);
  Evaluator& evaluator = isolated ? *isolated : bench;
  if (options.verify_only) return verify_records(session, evaluator, bench, options.json);

  require_records_place(device);
  auto problems = options.problems(device);
  auto journal = options.resume ? open_journal(device, true) : nullptr;
  if (!options.refresh) problems = without_records(std::move(problems), device, journal.get());
  if (problems.empty()) return 0;
  for (const GemmProblem& problem : problems) session.require_memory(problem);
  if (!isolated) tune.threads = tuning_threads(device);
  if (!options.json)
    fmt::print("device {}  {}, {}, budget {}, {} search, seed {}\n", session.device().index(), device.name,
               count_of(problems.size(), "shape"), options.budget, tune.strategy, options.seed);

  if (!journal) journal = open_journal(device, false);
  // Before the tuning, which fills the rest of the budget's time.
  std::optional<Roofline> roofline;
  if (!options.report_file.empty()) roofline = measure_limits(session, problems);
  Tuner tuner(session.engine(), evaluator, bench, *journal, tune);
  RowPrinter table = make_table();
  bool stored = true;
  const auto keep = [&](const Tuned& tuned) {
    try {
      store(tuned, device);
    } catch (const std::exception& problem) {
      stored = false;
      print_error(problem.what());
    }
  };
  const auto results = tuner.run(
      problems, [&](const TuneProgress& progress) { show(progress, problems.size()); },
      [&](const Tuned& tuned) {
        print_row(tuned, session.device(), options.json, table);
        keep(tuned);
      });
  clear_progress();
  for (const Tuned& tuned : results)
    if (!tuned.others.empty()) keep(tuned);

  if (!options.t4_file.empty()) write_text(options.t4_file, to_t4(results, device));
  if (!options.report_file.empty()) write_report(session, results, roofline, options, tune.strategy);
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
  tell_noise(results);
  tell_what_was_cut(results);
  if (!tuner.failure().empty()) throw std::runtime_error(tuner.failure() + "; --resume goes on from here");
  if (stop) print_note("stopped; --resume goes on from here");
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
