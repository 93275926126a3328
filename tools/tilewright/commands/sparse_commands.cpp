#include "commands/sparse_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "commands/explanation.hpp"
#include "compare/openmp_product.hpp"
#include "compare/sparse_product.hpp"
#include "files/matrix_file.hpp"
#include "files/shapes_file.hpp"
#include "shape.hpp"
#include "sparse_matrix.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

/// Returns the element type of the products. Throws UsageError.
DataType checked_type(const SparseOptions& options) {
  if (!options.shape.empty()) throw UsageError("--op spmm takes files of matrices and --columns instead of --shape");
  if (!options.against.empty())
    throw UsageError("--op spmm is compared with plain loops on the host, not with libraries; leave out --against");
  return options.operation.sparse_type(options.product);
}

/// Returns the shapes of the table, then each file with each number of columns.
std::vector<SparseShape> shapes_of(const SparseOptions& options, DataType type) {
  std::vector<SparseShape> shapes;
  if (!options.shapes_file.empty()) shapes = read_sparse_shapes(options.shapes_file, type);
  const auto& files = shapes.empty() ? options.operation.named_files() : options.operation.files;
  for (const std::string& path : files)
    for (const std::uint64_t n : options.operation.columns.empty() ? default_columns : options.operation.columns)
      shapes.push_back({path, n, type});
  return shapes;
}

/// Returns the number of columns of a command that takes one file and one number.
std::uint64_t single_columns(const SparseOptions& options) {
  if (options.operation.named_files().size() > 1 || options.operation.columns.size() > 1)
    throw UsageError("one file and one number of --columns are expected; use bench for several");
  return options.operation.columns.empty() ? 32 : options.operation.columns.front();
}

Json statistics_json(const RowStatistics& statistics) {
  return {{"mean", statistics.mean},
          {"deviation", statistics.deviation},
          {"longest", statistics.longest},
          {"empty", statistics.empty_rows},
          {"spread", statistics.spread}};
}

Json problem_json(const std::string& path, const SpmmProblem& problem, const RowStatistics& statistics) {
  return {{"operation", "spmm"},
          {"file", path},
          {"m", problem.m},
          {"k", problem.k},
          {"n", problem.n},
          {"nonzeros", problem.nonzeros},
          {"type", tilewright::to_string(problem.type)},
          {"rows", statistics_json(statistics)}};
}

Json to_json(const std::string& path, const SparseRun& run, const SparseRuns& runs, const Device& device) {
  const auto number = [&](double value) { return run.measured ? Json(value) : Json(); };
  Json json = problem_json(path, runs.problem, runs.statistics);
  json["variant"] = run.name;
  json["configuration"] = run.configuration;
  json["seconds"] = number(run.seconds);
  json["gflops"] = number(flops_of(runs.problem) / run.seconds * 1e-9);
  json["gigabytes_per_second"] = number(bytes_of(runs.problem) / run.seconds * 1e-9);
  json["first_call_seconds"] = number(run.first_call_seconds);
  json["error_over_bound"] = number(run.error_over_bound);
  json["verified"] = run.measured && run.wrong.empty();
  json["reason"] = run.reason;
  json["host_seconds"] = runs.host_seconds;
  json["openmp_threads"] = openmp_threads() > 0 ? Json(openmp_threads()) : Json();
  json["openmp_seconds"] = openmp_threads() > 0 ? Json(runs.openmp_seconds) : Json();
  json["note"] = run.note.empty() ? Json() : Json(run.note);
  add_device(json, device);
  return json;
}

const std::vector<Column> run_columns{{"variant", false, false, 17},    {"time", true, false, 8},
                                      {"GFLOP/s", true, false, 7},      {"GB/s", true, false, 7},
                                      {"x host loop", true, false, 11}, {"x OpenMP", true, false, 8},
                                      {"first call", true, true, 10},   {"error/bound", true, true, 11},
                                      {"verified", true, false, 8},     {"configuration", false, true, 60}};

std::vector<Cell> row_of(const SparseRun& run, const SparseRuns& runs) {
  if (!run.measured) {
    std::vector<Cell> row{{run.name, Style::faint}};
    row.resize(run_columns.size() - 1, Cell("-"));
    row.emplace_back(run.note);
    return row;
  }
  const auto ratio = [&](double seconds) -> Cell {
    if (seconds == 0) return "-";
    return {fmt::format("{:.2f}", seconds / run.seconds), seconds >= run.seconds ? Style::good : Style::plain};
  };
  return {run.name,
          format_seconds(run.seconds),
          format_number(flops_of(runs.problem) / run.seconds * 1e-9),
          format_number(bytes_of(runs.problem) / run.seconds * 1e-9),
          ratio(runs.host_seconds),
          ratio(runs.openmp_seconds),
          format_seconds(run.first_call_seconds),
          format_number(run.error_over_bound),
          run.wrong.empty() ? Cell("yes") : Cell("NO", Style::bad),
          run.configuration};
}

/// Prints wrong results and returns the exit status.
int report_failures(const std::string& path, const SparseRuns& runs) {
  int status = 0;
  for (const SparseRun& run : runs.runs) {
    if (run.wrong.empty()) continue;
    print_error(fmt::format("{}, {}: {} is wrong: {}", path, count_of(runs.problem.n, "column"), run.name, run.wrong));
    status = ExitStatus::failed;
  }
  return status;
}

void print_product(const std::string& path, const SpmmProblem& problem, const RowStatistics& statistics) {
  const Page& page = output_page();
  fmt::print("{}", format_field("A", fmt::format("{}  {}", path, to_string(problem)), page));
  fmt::print("{}", format_field("rows", to_string(statistics), page));
  fmt::print("{}", format_field("B", fmt::format("{} x {}", problem.k, problem.n), page));
}

}  // namespace

int bench_sparse(const SparseOptions& options) {
  const DataType type = checked_type(options);
  const Choice choice = options.forced.choice(spmm_variants());
  const std::vector<SparseShape> shapes = shapes_of(options, type);
  const Session session(options.product.device);
  std::vector<Column> titles = run_columns;
  titles.insert(titles.begin(), {{"matrix", false, false, 24}, {"columns", true, false, 7}});
  RowPrinter table(titles, output_page());
  if (!options.json) fmt::print("device {}  {}\n", session.device().index(), session.device().profile.name);
  int status = 0;
  SparseInput input;
  for (const SparseShape& shape : shapes) {
    try {
      if (input.path != shape.file) input = {shape.file, read_sparse_file(shape.file)};
      const SparseRuns runs = measure_sparse(session, input, shape.type, shape.n, {choice}, options.runs);
      if (options.json) {
        print_json(to_json(shape.file, runs.runs.front(), runs, session.device()));
      } else {
        std::vector<Cell> row = row_of(runs.runs.front(), runs);
        row.insert(row.begin(), {Cell(shape.file), Cell(fmt::to_string(shape.n))});
        fmt::print("{}", table.add_row(row));
        std::fflush(stdout);
      }
      status = std::max(status, report_failures(shape.file, runs));
    } catch (const std::exception& error) {
      // Continue with the other products.
      clear_progress();
      print_error(fmt::format("{}, {}: {}", shape.file, count_of(shape.n, "column"), error.what()));
      status = ExitStatus::failed;
    }
  }
  return status;
}

int run_sparse_ladder(const SparseOptions& options) {
  const DataType type = checked_type(options);
  const std::uint64_t n = single_columns(options);
  std::vector<Choice> choices;
  for (const VariantInfo& variant : pick_variants(spmm_variants(), options.variants)) {
    choices.push_back({variant.name, {}});
    for (const Configuration& strategy : variant.strategies) choices.push_back({variant.name, strategy});
  }
  const std::string& path = options.operation.files.front();
  const SparseInput input{path, read_sparse_file(path)};
  const Session session(options.product.device);
  const SparseRuns runs = measure_sparse(session, input, type, n, choices, options.runs);
  const SparseRun* fastest = nullptr;
  for (const SparseRun& run : runs.runs)
    if (run.measured && run.wrong.empty() && (fastest == nullptr || run.seconds < fastest->seconds)) fastest = &run;
  Table table(run_columns);
  for (const SparseRun& run : runs.runs) {
    if (options.json) {
      Json line = to_json(path, run, runs, session.device());
      line["fastest"] = &run == fastest;
      print_json(line);
    } else {
      table.add_row(row_of(run, runs), &run == fastest);
    }
  }
  if (!options.json) {
    fmt::print("device {}  {}\n", session.device().index(), session.device().profile.name);
    print_product(path, runs.problem, runs.statistics);
    fmt::print("the host's loop takes {}, OpenMP's {}\n\n{}", format_seconds(runs.host_seconds),
               openmp_threads() > 0 ? format_seconds(runs.openmp_seconds) : "is not in this build",
               table.to_string(output_page()));
  }
  return report_failures(path, runs);
}

int explain_sparse_choice(const SparseOptions& options) {
  const DataType type = checked_type(options);
  const std::uint64_t n = single_columns(options);
  const Choice choice = options.forced.choice(spmm_variants());
  const std::string& path = options.operation.files.front();
  const Triplets matrix = read_sparse_file(path);
  const Device device = pick_device(options.product.device);
  const SpmmProblem problem = spmm_problem(matrix, type, n);
  const RowStatistics statistics = statistics_of(matrix, path);
  const Explanation explanation = explain_spmm(device.profile, problem, statistics, choice);
  if (options.json) {
    print_json(to_json(device, problem_json(path, problem, statistics), explanation));
  } else {
    print_product(path, problem, statistics);
    print_explanation(device, "product", fmt::format("with {}", count_of(n, "column")), explanation);
  }
  return 0;
}

}  // namespace tilewright::tool
