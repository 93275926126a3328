// Factorisations, solutions and triangular systems.
#include "benchmarks/lapack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/rows.hpp"
#include "compare/lapack/lapack_check.hpp"
#include "compare/lapack/lapack_contender.hpp"
#include "compare/references.hpp"
#include "text/format.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

double lapack_gflops(const LapackProblem& problem, const Entrant& entrant) {
  return problem.flops() / entrant.seconds * 1e-9;
}

// Appends the matrix products of an explanation, which may be parts of parts.
void add_products(const Explanation& explanation, std::vector<Explanation>& products) {
  if (!explanation.variant.empty()) products.push_back(explanation);
  for (const Explanation& part : explanation.parts) add_products(part, products);
}

// Returns the variants of the products, each once; "-" if there are none.
std::string variants_of(const std::vector<Explanation>& products) {
  std::vector<std::string> names;
  for (const Explanation& product : products)
    if (std::find(names.begin(), names.end(), product.variant) == names.end()) names.push_back(product.variant);
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

Json json_of(const LapackProblem& problem, const Contest& contest, const std::vector<Explanation>& products,
             const Device& device) {
  const Entrant& own = contest.own.front();
  Json json = to_json(problem);
  json["method"] = own.contender.reason;
  json["products"] = Json::array();
  for (const Explanation& product : products)
    json["products"].push_back({{"problem", product.problem},
                                {"variant", product.variant},
                                {"configuration", tilewright::to_string(product.configuration)}});
  json["seconds"] = own.seconds;
  json["gflops"] = lapack_gflops(problem, own);
  json["first_call_seconds"] = own.first_call_seconds;
  json["error_over_bound"] = own.verdict.error_over_bound;  // null if infinite
  json["verified"] = own.verified();
  json["against"] = against_json(own, contest.references);
  for (const Entrant& reference : contest.references) {
    if (!reference.measured()) continue;
    Json& against = json["against"][reference.name];
    against["gflops"] = lapack_gflops(problem, reference);
    against["first_call_seconds"] = reference.first_call_seconds;
    against["error_over_bound"] = reference.verdict.error_over_bound;
    against["verified"] = reference.verified();
    if (reference.name == "openblas") against["kernels"] = openblas_kernels();
  }
  add_device(json, device);
  return json;
}

std::vector<Cell> cells_of(const LapackProblem& problem, const Contest& contest,
                           const std::vector<Explanation>& products) {
  const Entrant& own = contest.own.front();
  std::vector<Cell> row{to_string(problem),
                        format_seconds(own.seconds),
                        format_number(lapack_gflops(problem, own)),
                        format_seconds(own.first_call_seconds),
                        format_number(own.verdict.error_over_bound),
                        verified_cell(own)};
  add_ratios(row, own, contest.references);
  row.emplace_back(variants_of(products));
  row.emplace_back(own.contender.reason);
  return row;
}

std::optional<LapackContender> reference_of(const std::string& name, const LapackBuffers& buffers,
                                            const LapackData& data) {
  if (name == "openblas") return openblas_lapack_contender(buffers.problem(), data);
  if (auto call = clblast_lapack_call(buffers)) return buffers.contender(name, std::move(call));
  return {};
}

Contender contender_of(const LapackContender& of, const LapackProblem& problem, const LapackData& data) {
  return {.run = repeat(of.call),
          .check = [&problem, &data, result = of.result] { return check_lapack(problem, data, result()); },
          .settle = of.settle,
          .prepare = of.restore};
}

BenchmarkResult measure(const Session& session, const LapackProblem& problem, const Choice& choice,
                        const BenchmarkOptions& options) {
  session.require_memory(lapack_bytes(problem));
  const LapackData data = random_lapack_data(problem);
  const LapackBuffers buffers(session, problem, data);
  const TilewrightCall call = tilewright_lapack_call(buffers, choice);
  Contest contest(session.engine(), to_string(problem), {});
  Entrant& own = contest.add("tilewright",
                             [&] { return contender_of(buffers.contender("tilewright", call.call), problem, data); });
  const Explanation explanation = call.explain();
  own.contender.reason = explanation.reason;
  for (const std::string& name : options.against) {
    std::optional<Contender> contender;
    if (const auto reference = reference_of(name, buffers, data)) contender = contender_of(*reference, problem, data);
    contest.add_reference_if(name, std::move(contender));
  }
  contest.time({.runs = options.runs});
  std::vector<Explanation> products;
  add_products(explanation, products);
  return {.rows = {{cells_of(problem, contest, products), json_of(problem, contest, products, session.device())}},
          .failures = contest.failures()};
}

BenchmarkPlan bench_lapack(const BenchmarkOptions& options) {
  check_no_product_options(options);
  check_no_names(options);
  check_references(options.against);
  const LapackOperation& operation = *find_lapack_operation(options.operation.name);
  const Choice choice = options.forced.choice();
  BenchmarkPlan plan{.columns = {{"call", false, false, 36},
                                 {"time", true, false, 8},
                                 {"GFLOP/s", true, false, 7},
                                 {"first call", true, true, 10},
                                 {"error/bound", true, true, 11},
                                 {"verified", true, false, 8}}};
  add_reference_columns(plan.columns, options.against);
  plan.columns.push_back({"products by", false, true, 17});
  plan.columns.push_back({"method", false, true, 60});
  for (const std::string& shape : options.shapes) {
    const LapackProblem problem = options.lapack.problem(operation, options.product, shape);
    plan.problems.push_back({to_string(problem), [&options, problem, choice](const Session& session) {
                               return measure(session, problem, choice, options);
                             }});
  }
  if (plan.problems.empty()) throw UsageError("nothing to measure: give --shape");
  if (std::find(options.against.begin(), options.against.end(), "openblas") != options.against.end())
    plan.heading = fmt::format("OpenBLAS  {}\n", openblas_kernels());
  return plan;
}

}  // namespace

std::vector<Benchmark> lapack_benchmarks() {
  std::vector<Benchmark> benchmarks;
  for (const LapackOperation& operation : lapack_operations()) benchmarks.push_back({operation.name, bench_lapack});
  return benchmarks;
}

std::string lapack_footer() {
  std::vector<std::string> counts;
  for (const LapackOperation& operation : lapack_operations())
    counts.push_back(fmt::format("{} for {}", operation.count, operation.name));
  const std::string text = fmt::format(
      "{} take column-major matrices. --shape is the order N of A or NxNRHS, for getrf and functions of QR also MxN. "
      "ormqr multiplies by Q of order M with N reflectors, on the side --side. getrs, ormqr, gels, trsm and trmm take "
      "--trans N, T or, for complex matrices, C. Each call is timed alone, with a fresh copy of what it overwrites, "
      "and the copy is not timed. "
      "GFLOP/s counts operations as LAPACK does, without terms of lower order: {}.",
      join_words(lapack_names([](const LapackOperation&) { return true; }), "and"), join_words(counts, "and"));
  return wrap(text, 108, 0, 0) + '\n';
}

}  // namespace tilewright::tool
