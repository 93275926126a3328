// A matrix times a vector.
#include "tilewright/gemv.hpp"

#include <fmt/format.h>

#include "benchmarks/memory_bound.hpp"
#include "compare/references.hpp"
#include "compare/workload.hpp"
#include "options/shape.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

Contender gemv_contender(Workload& workload, const GemvProblem& problem, const Choice& choice) {
  const auto run = [&workload, problem, choice](unsigned calls) {
    const Session& session = workload.session();
    const GemmOperands product = workload.operands();
    GemvOperands operands{.a = product.a, .x = product.b, .y = product.c};
    enqueue_all(calls, [&](bool event) {
      operands.event = event;
      return gemv(session.engine(), session.queue(), problem, operands, {}, choice);
    });
  };
  return {.run = run, .check = [&workload] { return workload.check_device_result(); }};
}

BenchmarkResult measure(const Session& session, const GemvProblem& problem, const Choice& choice, MemoryBoundCall call,
                        const BenchmarkOptions& options) {
  const bool is_stored = problem.trans == Transpose::no;
  const GemmProblem product{.type = problem.type,
                            .trans_a = problem.trans,
                            .m = is_stored ? problem.m : problem.n,
                            .n = 1,
                            .k = is_stored ? problem.n : problem.m};
  check_references(options.against, product);
  Workload workload(session, product);
  const auto elements = static_cast<double>(problem.m) * static_cast<double>(problem.n) +
                        static_cast<double>(problem.m) + static_cast<double>(problem.n);
  call.bytes = elements * static_cast<double>(size_of(problem.type));
  Contest contest(session.engine(), call.label, [&] { workload.poison(); });
  contest.add("gemv", [&] { return gemv_contender(workload, problem, choice); });
  for (const std::string& name : options.against)
    contest.add_reference(name, [&] { return library_contender(name, workload); });
  return measure_memory_bound(session, contest, call, options.runs);
}

BenchmarkPlan bench_gemv(const BenchmarkOptions& options) {
  check_no_product_options(options);
  check_no_names(options);
  check_no_batch(options);
  const Choice choice = options.forced.choice();
  BenchmarkPlan plan{.columns = memory_bound_columns(options, "matrix")};
  for (const std::string& shape : options.shapes) {
    TransposeProblem matrix;
    parse_matrix_shape(shape, matrix);
    const GemmProblem product = options.product.problem();
    if (product.trans_b != Transpose::no) throw UsageError("x has no transpose; use --trans NN, TN or CN");
    const GemvProblem problem{.type = product.type, .trans = product.trans_a, .m = matrix.m, .n = matrix.n};
    const std::string trans = transposes_of(product).substr(0, 1);
    const MemoryBoundCall call{
        fmt::format("{} x {} {} {}", problem.m, problem.n, options.product.type, trans),
        {{"operation", "gemv"}, {"m", problem.m}, {"n", problem.n}, {"trans", trans}, {"type", options.product.type}}};
    plan.problems.push_back({call.label, [&options, problem, choice, call](const Session& session) {
                               return measure(session, problem, choice, call, options);
                             }});
  }
  if (plan.problems.empty()) throw UsageError("nothing to measure: give --shape");
  check_references(options.against);
  return plan;
}

}  // namespace

const Benchmark gemv_benchmark{"gemv", bench_gemv};

}  // namespace tilewright::tool
