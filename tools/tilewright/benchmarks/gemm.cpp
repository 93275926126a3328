// Products of dense matrices: by gemm(), Strassen's algorithm or a group of devices.
#include "benchmarks/gemm.hpp"

#include <fmt/format.h>

#include <memory>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/explanation.hpp"
#include "benchmarks/gemm_contenders.hpp"
#include "benchmarks/rows.hpp"
#include "benchmarks/schedule_output.hpp"
#include "benchmarks/summary.hpp"
#include "compare/references.hpp"
#include "files/shapes_file.hpp"
#include "gemm/problem.hpp"
#include "options/shape.hpp"
#include "text/format.hpp"
#include "text/page.hpp"
#include "tilewright/out_of_core.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

Json sizes_of(const GemmProblem& problem) {
  return {{"m", problem.m},
          {"n", problem.n},
          {"k", problem.k},
          {"batch", problem.batch.count},
          {"type", tilewright::to_string(problem.type)},
          {"trans", transposes_of(problem)}};
}

/// Adds the properties of a problem that are not the default.
void add_form(Json& json, const GemmProblem& problem) {
  if (const DataType type_c = detail::type_of_c(problem); type_c != problem.type)
    json["type_c"] = tilewright::to_string(type_c);
  if (problem.accuracy != Accuracy::full) json["accuracy"] = tilewright::to_string(problem.accuracy);
  if (const std::string epilogue = epilogue_of(problem); !epilogue.empty()) json["epilogue"] = epilogue;
}

Json fields_of(const GemmProblem& problem) {
  Json fields = sizes_of(problem);
  add_form(fields, problem);
  return fields;
}

std::vector<Column> bench_columns(const BenchmarkOptions& options) {
  std::vector<Column> columns{{"product", false, false, 26},  {"variant", false, false, 17},
                              {"time", true, false, 8},       {"GFLOP/s", true, false, 7},
                              {"first call", true, true, 10}, {"error/bound", true, true, 11},
                              {"verified", true, false, 8}};
  if (options.algorithm.is_strassen()) columns.push_back({"x gemm", true, false, 10});
  if (options.group.is_used()) columns.push_back({"x first device", true, false, 14});
  add_reference_columns(columns, options.against);
  columns.push_back({"configuration", false, true, 60});
  return columns;
}

/// Adds the contender that is measured, and those that it is compared with, except other libraries.
void add_contenders(Contest& contest, Workload& workload, const Choice& choice, const BenchmarkOptions& options,
                    DeviceGroupReport& shares, DeviceGroupReport& alone) {
  const Engine& engine = workload.session().engine();
  const GemmProblem& problem = workload.problem();
  if (options.algorithm.is_strassen()) {
    contest.add("strassen", [&] {
      return strassen_contender(workload, StrassenPlan(engine, options.algorithm.strassen_problem(problem), choice));
    });
    contest.add_reference("gemm", [&] { return gemm_contender(workload, choice); });
  } else if (options.group.is_used()) {
    const DeviceGroup group = options.group.group();
    const DeviceGroup first({group.engines().front()});
    const DeviceGroupOptions how = options.group.options();
    contest.add("group", [&] { return group_contender(workload, group, how, shares); });
    contest.add_reference("first device", [&] { return group_contender(workload, first, how, alone); });
  } else {
    Entrant& entrant = contest.add("tilewright", [&] {
      return options.packed_b ? packed_contender(workload, GemmPlan(engine, problem, choice))
                              : gemm_contender(workload, choice);
    });
    const GemmPlan plan(engine, problem, choice);  // compiles nothing new: it is what gemm() made for itself
    entrant.contender.variant = plan.explanation().variant;
    entrant.contender.configuration = tilewright::to_string(plan.explanation().configuration);
  }
}

std::vector<Cell> row_of(const GemmProblem& problem, const Entrant& entrant, const Contest& contest) {
  std::vector<Cell> row{to_string(problem),
                        entrant.contender.variant,
                        format_seconds(entrant.seconds),
                        format_number(gflops(problem, entrant)),
                        format_seconds(entrant.first_call_seconds),
                        format_number(entrant.verdict.error_over_bound),
                        verified_cell(entrant)};
  add_ratios(row, entrant, contest.references);
  row.emplace_back(entrant.contender.configuration);
  return row;
}

BenchmarkResult measure(const Session& session, const GemmProblem& problem, const Choice& choice,
                        const BenchmarkOptions& options, std::vector<Result>& results) {
  Workload workload(session, problem);
  Contest contest(session.engine(), to_string(problem), [&] { workload.poison(); });
  DeviceGroupReport shares, alone;
  add_contenders(contest, workload, choice, options, shares, alone);
  for (const std::string& name : options.against)
    contest.add_reference(name, [&] { return library_contender(name, workload); });
  contest.time({.runs = options.runs});

  const Entrant& entrant = contest.own.front();
  BenchmarkResult result{.rows = {{.cells = row_of(problem, entrant, contest),
                                   .json = gemm_json(problem, entrant, contest.references, session.device())}},
                         .failures = contest.failures()};
  if (options.group.is_used()) result.details = to_string(shares) + '\n';
  if (entrant.verified()) {
    results.push_back({problem, entrant.seconds, {}});
    for (const Entrant& reference : contest.references)
      if (reference.verified()) results.back().against.push_back({reference.name, reference.seconds});
  }
  return result;
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

BenchmarkPlan bench_gemm(const BenchmarkOptions& options) {
  options.operation.check_gemm();
  check_no_names(options);
  check_references(options.against);
  const Choice choice = options.forced.choice();
  BenchmarkPlan plan{.columns = bench_columns(options)};
  std::vector<GemmProblem> problems;
  for (const std::string& shape : options.shapes) problems.push_back(options.product.problem(shape));
  if (!options.shapes_file.empty()) {
    const std::vector<GemmProblem> read = read_shapes(options.shapes_file, options.product.problem());
    problems.insert(problems.end(), read.begin(), read.end());
  }
  if (problems.empty()) throw UsageError("nothing to measure: give --shape or --shapes");
  for (const GemmProblem& problem : problems) check_references(options.against, problem);
  const auto results = std::make_shared<std::vector<Result>>();
  for (const GemmProblem& problem : problems)
    plan.problems.push_back({to_string(problem), [&options, choice, problem, results](const Session& session) {
                               return measure(session, problem, choice, options, *results);
                             }});
  if (options.summary)
    plan.summarize = [&options, results](const Session& session) { print_summary(*results, session, options.json); };
  return plan;
}

void explain_schedule(const BenchmarkOptions& options, const GemmProblem& problem, const Choice& choice) {
  const Session session(options.product.device);
  const TileSchedule schedule =
      schedule_out_of_core(session.engine(), problem, {.memory = options.memory, .choice = choice});
  if (options.json) {
    Json json = fields_of(problem);
    json["memory_limit"] = options.memory;
    json["schedule"] = schedule_json(schedule);
    add_device(json, session.device());
    print_json(json);
    return;
  }
  const Page& page = output_page();
  fmt::print("{}", format_field("device", session.device().index() + "  " + session.device().profile.name, page));
  fmt::print("{}{}", format_field("product", to_string(problem), page), schedule_fields(schedule, page));
}

void explain_gemm_choice(const BenchmarkOptions& options) {
  const std::string& shape = single_shape(options);
  options.operation.check_gemm();
  const GemmProblem problem = options.product.problem(shape);
  const Choice forced = options.forced.choice();
  if (options.memory > 0) return explain_schedule(options, problem, forced);
  const Device device = pick_device(options.product.device);
  if (options.algorithm.is_strassen())
    return explain_strassen_choice(device, to_string(problem), fields_of(problem),
                                   options.algorithm.strassen_problem(problem), forced, options.json);
  show_explanation(device, "product", to_string(problem), fields_of(problem),
                   explain_gemm(device.profile, problem, forced), options.json);
}

}  // namespace

double gflops(const GemmProblem& problem, const Entrant& entrant) { return flops_of(problem) / entrant.seconds * 1e-9; }

Json gemm_json(const GemmProblem& problem, const Entrant& entrant, const std::deque<Entrant>& references,
               const Device& device) {
  Json json = sizes_of(problem);
  json["variant"] = entrant.contender.variant;
  json["configuration"] = entrant.contender.configuration;
  json["seconds"] = if_measured(entrant, entrant.seconds);
  json["gflops"] = if_measured(entrant, gflops(problem, entrant));
  json["first_call_seconds"] = if_measured(entrant, entrant.first_call_seconds);
  json["programs_compiled"] = entrant.compilation.programs;
  json["compile_seconds"] = if_measured(entrant, entrant.compilation.seconds);
  json["error_over_bound"] = if_measured(entrant, entrant.verdict.error_over_bound);  // null if infinite
  json["verified"] = entrant.verified();
  json["against"] = against_json(entrant, references);
  add_form(json, problem);
  if (!entrant.note.empty()) json["note"] = entrant.note;
  add_device(json, device);
  return json;
}

const Benchmark gemm_benchmark{"gemm", bench_gemm, ladder_gemm, explain_gemm_choice};

}  // namespace tilewright::tool
