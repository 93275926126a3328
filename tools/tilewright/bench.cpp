#include <fmt/format.h>

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "commands.hpp"
#include "format.hpp"
#include "measure.hpp"
#include "product_options.hpp"
#include "progress.hpp"
#include "result.hpp"
#include "shape.hpp"
#include "shapes_file.hpp"

namespace tilewright::tool {
namespace {

struct Options {
  ProductOptions product;
  ChoiceOptions forced;
  std::vector<std::string> shapes;
  std::string shapes_file;
  std::vector<std::string> against;
  unsigned runs = 7;
  bool packed_b = false;
  bool json = false;
};

/// What one shape came to.
struct Outcome {
  Result result;
  std::vector<std::string> failures;  // nothing where all is verified
};

std::vector<GemmProblem> problems_of(const Options& options) {
  std::vector<GemmProblem> problems;
  problems.reserve(options.shapes.size());
  for (const std::string& shape : options.shapes) problems.push_back(options.product.problem(shape));
  if (!options.shapes_file.empty()) {
    const std::vector<GemmProblem> read = read_shapes(options.shapes_file, options.product.problem());
    problems.insert(problems.end(), read.begin(), read.end());
  }
  return problems;
}

Outcome bench(const Session& session, const GemmProblem& problem, const Options& options) {
  Workload workload(session, problem);
  std::vector<Entrant> entrants;
  const auto add = [&](const std::string& name, const std::function<std::unique_ptr<Contender>()>& make) {
    show_progress(fmt::format("{}: first call of {}", to_string(problem), name));
    entrants.push_back(make_entrant(name, workload, make));
  };
  add("tilewright", [&] {
    return options.packed_b
               ? make_packed_contender(workload, GemmPlan(session.engine(), problem, options.forced.choice()))
               : make_gemm_contender(workload, options.forced.choice());
  });
  for (const std::string& name : options.against) add(name, [&] { return make_reference(name, workload); });

  std::vector<Entrant*> timed;
  for (Entrant& entrant : entrants) timed.push_back(&entrant);
  MeasureLimits limits;
  limits.runs = options.runs;
  measure(timed, limits);

  Outcome outcome;
  const GemmPlan plan(session.engine(), problem,
                      options.forced.choice());  // compiles nothing new: it is what gemm() made for itself
  outcome.result.problem = problem;
  outcome.result.variant = plan.variant();
  outcome.result.configuration = tilewright::to_string(plan.configuration());
  outcome.result.set_measurement(entrants.front());
  for (const Entrant& entrant : entrants) {
    if (&entrant != &entrants.front()) outcome.result.add_reference(entrant);
    if (!entrant.verified()) outcome.failures.push_back(describe_failure(entrant));
  }
  return outcome;
}

/// Rows appear as they are measured, so the columns' widths are fixed.
void print_row(const Outcome& outcome, bool first) {
  const Result& result = outcome.result;
  std::string heading = fmt::format("{:<28} {:<17} {:>10} {:>9} {:>10} {:>11} {:>8}", "product", "variant", "time",
                                    "GFLOP/s", "first call", "error/bound", "verified");
  std::string row = fmt::format("{:<28} {:<17} {:>10} {:>9} {:>10} {:>11} {:>8}", to_string(result.problem),
                                result.variant, format_seconds(result.seconds), format_number(result.gflops()),
                                format_seconds(result.first_call_seconds), format_number(result.error_over_bound),
                                result.verified ? "yes" : "NO");
  for (const Result::Against& reference : result.against) {
    heading += fmt::format(" {:>13}", "x " + reference.name);
    row += fmt::format(" {:>13.2f}", reference.seconds / result.seconds);
  }
  if (first) fmt::print("{}\n", heading);
  fmt::print("{}\n", row);
}

int run(const Options& options) {
  check_references(options.against);
  const std::vector<GemmProblem> problems = problems_of(options);
  if (problems.empty()) throw std::invalid_argument("nothing to measure: give --shape or --shapes");
  const Session session(options.product.device);
  int status = 0;
  bool first = true;
  if (!options.json) fmt::print("device {}  {}\n", session.device().index(), session.device().profile.name);
  for (const GemmProblem& problem : problems) {
    Outcome outcome;
    try {
      outcome = bench(session, problem, options);
    } catch (const std::exception& error) {
      // The other shapes may still be measured.
      outcome.failures.push_back(fmt::format("{}: {}", to_string(problem), error.what()));
    }
    clear_progress();
    if (outcome.result.measured) {
      if (options.json) {
        fmt::print("{}\n", to_json(outcome.result));
      } else {
        print_row(outcome, std::exchange(first, false));
      }
      std::fflush(stdout);
    }
    for (const std::string& failure : outcome.failures) fmt::print(stderr, "tilewright: {}\n", failure);
    if (!outcome.failures.empty()) status = 1;
  }
  return status;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("bench",
                                               "Measure what gemm() chooses by itself, or a forced choice: the whole "
                                               "call, warm, alternating with other libraries");
  const auto options = std::make_shared<Options>();
  command->add_option("--shape", options->shapes, "sizes of products, MxNxK, as many as wanted");
  command->add_option("--shapes", options->shapes_file, "a table (CSV) with the columns m,n,k,trans_a,trans_b,batch");
  options->product.add_to(*command);
  options->forced.add_to(*command);
  add_against_option(*command, options->against);
  command->add_option("--runs", options->runs, "batches of calls to take the median of")
      ->check(CLI::Range(1U, 10000U))
      ->capture_default_str();
  command->add_flag("--packed-b", options->packed_b, "pack B once, before the first call, as for weights that stay");
  command->add_flag("--json", options->json, "one JSON object a line");
  command->footer(
      "Matrices are row-major. A ratio is the other library's time over ours: above 1 we are faster.\n"
      "Example:\n  tilewright bench --shape 1024x1024x1024 35x700x2048 --against clblast,openblas");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
