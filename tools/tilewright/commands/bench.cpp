#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "algorithm_options.hpp"
#include "commands/commands.hpp"
#include "commands/lapack_commands.hpp"
#include "commands/memory_bound_commands.hpp"
#include "commands/operation_commands.hpp"
#include "commands/sparse_commands.hpp"
#include "compare/group_contender.hpp"
#include "compare/measure.hpp"
#include "compare/memory_bound.hpp"
#include "compare/strassen_contender.hpp"
#include "compare/summary.hpp"
#include "files/shapes_file.hpp"
#include "group_options.hpp"
#include "lapack_options.hpp"
#include "option_values.hpp"
#include "product_options.hpp"
#include "result.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct Options {
  ProductOptions product;
  ChoiceOptions forced;
  std::vector<std::string> shapes;
  std::vector<std::string> names;
  std::string shapes_file;
  std::vector<std::string> against;
  OperationOptions operation;
  LapackOptions lapack;
  AlgorithmOptions algorithm;
  GroupOptions group;
  unsigned runs = 7;
  bool packed_b = false;
  bool summary = false;
  bool json = false;
};

/// Results of one shape.
struct Outcome {
  Result result;
  DeviceGroupReport shares;           // work of each device, with --devices
  std::vector<std::string> failures;  // empty if everything is verified
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
  Outcome outcome;
  DeviceGroupReport alone;
  outcome.result.problem = problem;
  if (options.algorithm.is_strassen()) {
    add("strassen", [&] {
      StrassenPlan plan(session.engine(), options.algorithm.strassen_problem(problem), options.forced.choice());
      outcome.result.variant = "strassen";
      outcome.result.configuration = fmt::format("levels={}", plan.levels());
      return make_strassen_contender(workload, std::move(plan));
    });
    add("gemm", [&] { return make_gemm_contender(workload, options.forced.choice()); });
  } else if (options.group.is_used()) {
    const DeviceGroup group = options.group.group();
    add("group", [&] { return make_group_contender(workload, group, options.group.options(), outcome.shares); });
    add("first device", [&] {
      return make_group_contender(workload, DeviceGroup({group.engines().front()}), options.group.options(), alone);
    });
    outcome.result.variant = "group";
    outcome.result.configuration = fmt::format("devices={}", group.engines().size());
  } else {
    add("tilewright", [&] {
      return options.packed_b
                 ? make_packed_contender(workload, GemmPlan(session.engine(), problem, options.forced.choice()))
                 : make_gemm_contender(workload, options.forced.choice());
    });
    const GemmPlan plan(session.engine(), problem,
                        options.forced.choice());  // compiles nothing new: it is what gemm() made for itself
    outcome.result.variant = plan.explanation().variant;
    outcome.result.configuration = tilewright::to_string(plan.explanation().configuration);
  }
  for (const std::string& name : options.against) add(name, [&] { return make_reference(name, workload); });

  std::vector<Entrant*> timed;
  for (Entrant& entrant : entrants) timed.push_back(&entrant);
  MeasureLimits limits;
  limits.runs = options.runs;
  measure(timed, limits);

  outcome.result.set_measurement(entrants.front());
  for (const Entrant& entrant : entrants) {
    if (&entrant != &entrants.front()) outcome.result.add_reference(entrant);
    if (!entrant.verified())
      outcome.failures.push_back(fmt::format("{}: {}", to_string(problem), describe_failure(entrant)));
  }
  return outcome;
}

RowPrinter make_table(const Options& options) {
  std::vector<Column> columns{{"product", false, false, 26},  {"variant", false, false, 17},
                              {"time", true, false, 8},       {"GFLOP/s", true, false, 7},
                              {"first call", true, true, 10}, {"error/bound", true, true, 11},
                              {"verified", true, false, 8}};
  if (options.algorithm.is_strassen()) columns.push_back({"x gemm", true, false, 10});
  if (options.group.is_used()) columns.push_back({"x first device", true, false, 14});
  for (const std::string& name : options.against) columns.push_back({"x " + name, true, false, 10});
  columns.push_back({"configuration", false, true, 60});
  return {std::move(columns), output_page()};
}

std::vector<Cell> row_of(const Result& result) {
  std::vector<Cell> row{to_string(result.problem),
                        result.variant,
                        format_seconds(result.seconds),
                        format_number(result.gflops()),
                        format_seconds(result.first_call_seconds),
                        format_number(result.error_over_bound),
                        result.verified ? Cell("yes") : Cell("NO", Style::bad)};
  for (const Result::Against& reference : result.against) {
    const double ratio = reference.seconds / result.seconds;
    row.emplace_back(fmt::format("{:.2f}", ratio), ratio >= 1 ? Style::good : Style::plain);
  }
  row.emplace_back(result.configuration);
  return row;
}

void print_summary(const std::vector<Result>& results, const Session& session, bool json) {
  Table table({{"class"}, {"library"}, {"products", true}, {"mean", true}, {"worst", true}});
  for (const ClassSummary& summary : summarize(results)) {
    if (json) {
      Json line = {{"class", summary.name},
                   {"against", summary.library},
                   {"count", summary.count},
                   {"geometric_mean", summary.geometric_mean},
                   {"worst", summary.worst}};
      add_device(line, session.device());
      print_json(line);
    } else {
      table.add_row({summary.name, summary.library, std::to_string(summary.count),
                     fmt::format("{:.2f}", summary.geometric_mean), fmt::format("{:.2f}", summary.worst)});
    }
  }
  if (!json)
    fmt::print(
        "\n"
        "The other library's time over Tilewright's, geometric means:\n"
        "\n"
        "{}",
        table.to_string(output_page()));
}

void check_no_names(const Options& options) {
  if (!options.names.empty()) throw UsageError("--name is for --op vector alone; add --op vector, or leave --name out");
}

/// Throws UsageError if an option is set that only products have. `operation` is none of the tuned ones.
void check_untuned(const Options& options) {
  options.operation.check_gemm();
  const ProductOptions& product = options.product;
  if (options.packed_b || options.summary || !options.shapes_file.empty() || product.accuracy != "full" ||
      !product.type_c.empty() || !product.epilogue.empty())
    throw UsageError(
        fmt::format("--shapes, --packed-b, --summary, --c-type, --accuracy and --epilogue are not for --op {}; leave "
                    "them out",
                    options.operation.name));
  if (options.operation.name != "vector") check_no_names(options);
}

int bench_factorisation(const LapackOperation& operation, const Options& options) {
  check_untuned(options);
  return bench_lapack({.operation = &operation,
                       .product = options.product,
                       .lapack = options.lapack,
                       .forced = options.forced,
                       .shapes = options.shapes,
                       .against = options.against,
                       .runs = options.runs,
                       .json = options.json});
}

int bench_memory_bound(const Options& options) {
  const bool is_vector = options.operation.name == "vector";
  check_untuned(options);
  if (options.product.batch != 1)
    throw UsageError(fmt::format("--batch is not for --op {}; leave it out", options.operation.name));
  const MemoryBoundOptions common{.product = options.product,
                                  .forced = options.forced,
                                  .names = options.names,
                                  .shapes = options.shapes,
                                  .against = options.against,
                                  .runs = options.runs,
                                  .json = options.json};
  return is_vector ? bench_vectors(common) : bench_gemv(common);
}

void check_group(const Options& options) {
  if (options.algorithm.is_strassen() || options.operation.name != "gemm")
    throw UsageError("--devices is for products by --algorithm gemm; leave out --algorithm and --op");
  if (!(options.forced.choice() == Choice{}))
    throw UsageError(
        "with --devices each tile's variant is chosen automatically; leave out --variant and --configuration");
}

int run(const Options& options) {
  options.algorithm.check_with(options.operation.name);
  options.group.check();
  options.lapack.check_for(options.operation.name);
  if (options.packed_b && (options.algorithm.is_strassen() || options.group.is_used()))
    throw UsageError("--packed-b is not for --algorithm strassen or --devices; leave it out");
  if (options.group.is_used()) check_group(options);
  if (options.summary && options.against.empty())
    throw UsageError("--summary compares with other libraries; add --against, for example --against openblas");
  if (options.operation.is_transpose()) {
    if (options.packed_b || options.summary)
      throw UsageError("--packed-b and --summary are not for --op transpose; leave them out");
    return bench_transpose({.product = options.product,
                            .forced = options.forced,
                            .operation = options.operation,
                            .shapes = options.shapes,
                            .shapes_file = options.shapes_file,
                            .variants = {},
                            .against = options.against,
                            .runs = options.runs,
                            .json = options.json});
  }
  if (options.operation.is_spmm()) {
    if (options.packed_b || options.summary)
      throw UsageError("--packed-b and --summary are not for --op spmm; leave them out");
    return bench_sparse({.product = options.product,
                         .forced = options.forced,
                         .operation = options.operation,
                         .shape = options.shapes.empty() ? std::string() : options.shapes.front(),
                         .shapes_file = options.shapes_file,
                         .variants = {},
                         .against = options.against,
                         .runs = options.runs,
                         .json = options.json});
  }
  if (options.operation.name == "vector" || options.operation.name == "gemv") return bench_memory_bound(options);
  if (const LapackOperation* const operation = find_lapack_operation(options.operation.name))
    return bench_factorisation(*operation, options);
  options.operation.check_gemm();
  check_no_names(options);
  check_references(options.against);
  const std::vector<GemmProblem> problems = problems_of(options);
  if (problems.empty()) throw UsageError("nothing to measure: give --shape or --shapes");
  for (const GemmProblem& problem : problems) check_references(options.against, problem);
  const Session session(options.product.device);
  int status = 0;
  std::vector<Result> results;
  RowPrinter table = make_table(options);
  if (!options.json) fmt::print("device {}  {}\n", session.device().index(), session.device().profile.name);
  for (const GemmProblem& problem : problems) {
    Outcome outcome;
    try {
      outcome = bench(session, problem, options);
    } catch (const std::exception& error) {
      // Continue with the other shapes.
      outcome.failures.push_back(fmt::format("{}: {}", to_string(problem), error.what()));
    }
    clear_progress();
    if (outcome.result.measured) {
      if (options.json) {
        print_json(to_json(outcome.result, session.device()));
      } else {
        fmt::print("{}", table.add_row(row_of(outcome.result)));
        if (options.group.is_used()) fmt::print("{}\n", to_string(outcome.shares));
        std::fflush(stdout);
      }
      if (outcome.result.verified) results.push_back(outcome.result);
    }
    for (const std::string& failure : outcome.failures) print_error(failure);
    if (!outcome.failures.empty()) status = ExitStatus::failed;
  }
  if (options.summary) print_summary(results, session, options.json);
  return status;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("bench",
                                               "Measure the speed of an operation with its own or a forced choice: "
                                               "complete warm calls, alternating with other libraries");
  const auto options = std::make_shared<Options>();
  command->add_option("--shape", options->shapes,
                      "sizes, several allowed: MxNxK for products, MxN for matrices, N for vectors and for systems "
                      "of equations");
  command
      ->add_option("--name", options->names,
                   "with --op vector: the functions to measure, comma-separated; default: all")
      ->delimiter(',')
      ->check(one_of("operation on vectors", vector_call_names()));
  command->add_option("--shapes", options->shapes_file, shapes_table_help);
  options->product.add_to(*command);
  options->forced.add_to(*command);
  options->algorithm.add_to(*command);
  std::vector<std::string> more{"gemv", "vector"};
  for (const LapackOperation& operation : lapack_operations()) more.emplace_back(operation.name);
  options->operation.add_with_files_to(*command, more);
  options->lapack.add_to(*command);
  options->group.add_to(*command);
  add_against_option(*command, options->against);
  command->add_option("--runs", options->runs, "number of batches of calls; the time is their median")
      ->transform(whole_number(1, 10000))
      ->capture_default_str();
  command->add_flag("--packed-b", options->packed_b, "pack B once, before the first call, as for constant weights");
  command->add_flag("--summary", options->summary, "end with a table by class of shapes, such as thin or deep");
  command->add_flag("--json", options->json, "print one JSON object per line");
  command->footer(
      "Products are of row-major matrices. A ratio is the other library's time over Tilewright's: above 1 Tilewright\n"
      "is faster.\n"
      "For transpose, gemv and vector, GB/s counts bytes read and written, and \"of copy\" is the speed relative\n"
      "to a copy of as many bytes, by the faster of clEnqueueCopyBuffer and a kernel. For spmm, GB/s counts A, B\n"
      "and C once.\n" +
      lapack_footer() +
      "Example:\n"
      "  tilewright bench --shape 1024x1024x1024 35x700x2048 --against clblast,openblas\n"
      "  tilewright bench --algorithm strassen --levels 1 --shape 4096x4096x4096\n"
      "  tilewright bench --devices all --shape 16384x16384x16384\n"
      "  tilewright bench --op transpose --shape 8192x8192 8000x12000\n"
      "  tilewright bench --op spmm A.npz --columns 1,8,32,128\n"
      "  tilewright bench --op gemv --shape 4096x4096 --trans TN\n"
      "  tilewright bench --op vector --shape 16777216 --name axpy,dot\n"
      "  tilewright bench --op getrf --shape 1024 4096 --type f64 --against openblas\n"
      "  tilewright bench --op trsm --shape 2048x64 --side right --uplo upper --against clblast,openblas");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
