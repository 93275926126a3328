#include "commands/lapack_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "compare/contender.hpp"
#include "compare/lapack_contender.hpp"
#include "compare/lapack_run.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/messages.hpp"
#include "text/page.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

double gflops(const LapackProblem& problem, double seconds) { return problem.flops() / seconds * 1e-9; }

// Appends the matrix products of an explanation, which may be parts of parts.
void add_products(const Explanation& explanation, std::vector<Explanation>& products) {
  if (!explanation.variant.empty()) products.push_back(explanation);
  for (const Explanation& part : explanation.parts) add_products(part, products);
}

std::vector<Explanation> products_of(const Explanation& explanation) {
  std::vector<Explanation> products;
  add_products(explanation, products);
  return products;
}

// Returns the variants of the products, each once; "-" if there are none.
std::string variants_of(const Explanation& explanation) {
  std::string names;
  std::vector<std::string> listed;
  for (const Explanation& product : products_of(explanation)) {
    if (std::find(listed.begin(), listed.end(), product.variant) != listed.end()) continue;
    listed.push_back(product.variant);
    names += (names.empty() ? "" : ", ") + product.variant;
  }
  return names.empty() ? "-" : names;
}

Json to_json(const LapackProblem& problem, const LapackRun& run, const Device& device) {
  Json json = to_json(problem);
  json["method"] = run.explanation.reason;
  json["products"] = Json::array();
  for (const Explanation& product : products_of(run.explanation))
    json["products"].push_back({{"problem", product.problem},
                                {"variant", product.variant},
                                {"configuration", tilewright::to_string(product.configuration)}});
  json["seconds"] = run.own.seconds;
  json["gflops"] = gflops(problem, run.own.seconds);
  json["first_call_seconds"] = run.own.first_call_seconds;
  json["error_over_bound"] = run.own.error_over_bound;  // null if infinite
  json["verified"] = run.own.wrong.empty();
  json["against"] = Json::object();
  for (const LapackRun::Entry& reference : run.references) {
    if (reference.seconds == 0) continue;
    Json& against = json["against"][reference.name];
    against = {{"seconds", reference.seconds},
               {"ratio", reference.seconds / run.own.seconds},
               {"gflops", gflops(problem, reference.seconds)},
               {"first_call_seconds", reference.first_call_seconds},
               {"error_over_bound", reference.error_over_bound},
               {"verified", reference.wrong.empty()}};
    if (reference.name == "openblas") against["kernels"] = openblas_kernels();
  }
  add_device(json, device);
  return json;
}

std::vector<Column> columns_of(const LapackBenchOptions& options) {
  std::vector<Column> columns{{"call", false, false, 36},      {"time", true, false, 8},
                              {"GFLOP/s", true, false, 7},     {"first call", true, true, 10},
                              {"error/bound", true, true, 11}, {"verified", true, false, 8}};
  for (const std::string& name : options.against) columns.push_back({"x " + name, true, false, 10});
  columns.push_back({"products by", false, true, 17});
  columns.push_back({"method", false, true, 60});
  return columns;
}

std::vector<Cell> row_of(const LapackProblem& problem, const LapackRun& run) {
  std::vector<Cell> row{to_string(problem),
                        format_seconds(run.own.seconds),
                        format_number(gflops(problem, run.own.seconds)),
                        format_seconds(run.own.first_call_seconds),
                        format_number(run.own.error_over_bound),
                        run.own.wrong.empty() ? Cell("yes") : Cell("NO", Style::bad)};
  for (const LapackRun::Entry& reference : run.references) {
    const double ratio = reference.seconds / run.own.seconds;
    if (reference.seconds > 0)
      row.emplace_back(fmt::format("{:.2f}", ratio), ratio >= 1 ? Style::good : Style::plain);
    else
      row.emplace_back("-");
  }
  row.emplace_back(variants_of(run.explanation));
  row.emplace_back(run.explanation.reason);
  return row;
}

void print_header(const LapackBenchOptions& options, const Device& device) {
  fmt::print("device {}  {}\n", device.index(), device.profile.name);
  if (std::find(options.against.begin(), options.against.end(), "openblas") != options.against.end())
    fmt::print("OpenBLAS  {}\n", openblas_kernels());
}

}  // namespace

int bench_lapack(const LapackBenchOptions& options) {
  check_references(options.against);
  const Choice choice = options.forced.choice();
  std::vector<LapackProblem> problems;
  for (const std::string& shape : options.shapes)
    problems.push_back(options.lapack.problem(*options.operation, options.product, shape));
  if (problems.empty()) throw UsageError("nothing to measure: give --shape");
  const Session session(options.product.device);
  RowPrinter table(columns_of(options), output_page());
  if (!options.json) print_header(options, session.device());
  int status = 0;
  const auto fail = [&](const LapackProblem& problem, const std::string& message) {
    clear_progress();
    print_error(fmt::format("{}: {}", to_string(problem), message));
    status = ExitStatus::failed;
  };
  for (const LapackProblem& problem : problems) {
    try {
      const LapackRun run = measure_lapack(session, problem, choice, options.against, options.runs);
      if (options.json) {
        print_json(to_json(problem, run, session.device()));
      } else {
        fmt::print("{}", table.add_row(row_of(problem, run)));
        std::fflush(stdout);
      }
      const auto report = [&](const LapackRun::Entry& entry) {
        if (!entry.wrong.empty()) fail(problem, fmt::format("wrong result of {}: {}", entry.name, entry.wrong));
      };
      report(run.own);
      for (const LapackRun::Entry& reference : run.references) report(reference);
    } catch (const std::exception& error) {
      // Continue with the other shapes.
      fail(problem, error.what());
    }
  }
  return status;
}

std::string lapack_footer() {
  std::vector<std::string> counts;
  for (const LapackOperation& operation : lapack_operations())
    counts.push_back(fmt::format("{} for {}", operation.count, operation.name));
  const std::string text = fmt::format(
      "{} take column-major matrices. --shape is the order N of A or NxNRHS, for getrf also MxN; getrs and trsm take "
      "--trans N or T. Each call is timed alone, with a fresh copy of what it overwrites, and the copy is not timed. "
      "GFLOP/s counts operations as LAPACK does, without terms of lower order: {}.",
      join_words(lapack_names([](const LapackOperation&) { return true; }), "and"), join_words(counts, "and"));
  return wrap(text, 108, 0, 0) + '\n';
}

}  // namespace tilewright::tool
