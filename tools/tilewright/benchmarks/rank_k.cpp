// Rank-k updates of one triangle.
#include "tilewright/rank_k.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/contest.hpp"
#include "benchmarks/rows.hpp"
#include "compare/rank_k_workload.hpp"
#include "compare/references.hpp"
#include "options/shape.hpp"
#include "text/format.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

// A plan of the task's function.
class RankKCaller {
 public:
  RankKCaller(const RankKWorkload& workload, const Choice& choice) : workload_(workload) {
    const RankKTask& task = workload.task();
    const Engine& engine = workload.session().engine();
    if (task.routine->has_second_trans)
      gemmt_.emplace(
          engine,
          GemmtProblem{.type = task.type, .trans_a = task.trans_a, .trans_b = task.trans_b, .n = task.n, .k = task.k},
          choice);
    else if (task.routine->has_b)
      syr2k_.emplace(
          engine,
          Syr2kProblem{
              .type = task.type, .trans = task.trans_a, .symmetry = task.routine->symmetry, .n = task.n, .k = task.k},
          choice);
    else
      syrk_.emplace(
          engine,
          SyrkProblem{
              .type = task.type, .trans = task.trans_a, .symmetry = task.routine->symmetry, .n = task.n, .k = task.k},
          choice);
  }

  Event enqueue(bool event) const {
    cl_command_queue queue = workload_.session().queue();
    const MatrixRef a{workload_.a()}, b{workload_.b()}, c{workload_.c()};
    if (gemmt_) return gemmt_->enqueue(queue, {.a = a, .b = b, .c = c, .event = event});
    if (syr2k_) return syr2k_->enqueue(queue, {.a = a, .b = b, .c = c, .event = event});
    return syrk_->enqueue(queue, {.a = a, .c = c, .event = event});
  }

  const Explanation& explanation() const {
    return gemmt_ ? gemmt_->explanation() : syr2k_ ? syr2k_->explanation() : syrk_->explanation();
  }

 private:
  const RankKWorkload& workload_;
  std::optional<SyrkPlan> syrk_;
  std::optional<Syr2kPlan> syr2k_;
  std::optional<GemmtPlan> gemmt_;
};

Contender own_contender(RankKWorkload& workload, const Choice& choice) {
  const auto caller = std::make_shared<RankKCaller>(workload, choice);
  const auto run = [caller](unsigned calls) { enqueue_all(calls, [&](bool event) { return caller->enqueue(event); }); };
  return {.run = run,
          .check = [&workload] { return workload.check_device_result(); },
          .reason = caller->explanation().reason};
}

std::optional<Contender> reference_of(const std::string& name, RankKWorkload& workload) {
  if (name == "openblas") {
    auto call = openblas_rank_k_call(workload);
    if (!call) return {};
    return Contender{.run = repeat(std::move(call)),
                     .check = [&workload] { return workload.check_host_result(); },
                     .settle = let_openblas_sleep};
  }
  auto run = clblast_rank_k_call(workload);
  if (!run) return {};
  return Contender{.run = std::move(run), .check = [&workload] { return workload.check_device_result(); }};
}

BenchmarkResult measure(const Session& session, const RankKTask& task, const Choice& choice,
                        const BenchmarkOptions& options) {
  RankKWorkload workload(session, task);
  Contest contest(session.engine(), to_string(task), [&] { workload.poison(); });
  const Entrant& own = contest.add("tilewright", [&] { return own_contender(workload, choice); });
  for (const std::string& name : options.against) contest.add_reference_if(name, reference_of(name, workload));
  contest.time({.runs = options.runs});
  const auto gflops = [&](const Entrant& entrant) { return task.flops() / entrant.seconds * 1e-9; };
  std::vector<Cell> row{to_string(task),
                        format_seconds(own.seconds),
                        format_number(gflops(own)),
                        format_seconds(own.first_call_seconds),
                        format_number(own.verdict.error_over_bound),
                        verified_cell(own)};
  add_ratios(row, own, contest.references);
  row.emplace_back(own.contender.reason);
  Json json{{"operation", task.routine->name},
            {"n", task.n},
            {"k", task.k},
            {"type", tilewright::to_string(task.type)},
            {"method", own.contender.reason},
            {"seconds", own.seconds},
            {"gflops", gflops(own)},
            {"first_call_seconds", own.first_call_seconds},
            {"error_over_bound", own.verdict.error_over_bound},
            {"verified", own.verified()},
            {"against", against_json(own, contest.references)}};
  add_device(json, session.device());
  return {.rows = {{std::move(row), std::move(json)}}, .failures = contest.failures()};
}

RankKTask task_of(const BenchmarkOptions& options, const std::string& shape) {
  const auto& routines = rank_k_routines();
  RankKTask task{.routine = std::find_if(routines.begin(), routines.end(), [&](const RankKRoutine& routine) {
                   return routine.name == options.operation.name;
                 })};
  const GemmProblem product = options.product.problem();
  task.type = product.type;
  task.trans_a = product.trans_a;
  task.trans_b = product.trans_b;
  if (task.type != DataType::f32 && task.type != DataType::f64 && !is_complex(task.type))
    throw UsageError(fmt::format("the type is {}, but --op {} takes f32, f64, c64 and c128", options.product.type,
                                 task.routine->name));
  if (!task.routine->has_second_trans && task.trans_b != Transpose::no)
    throw UsageError(fmt::format("--op {} has one transpose; use --trans NN, TN or CN", task.routine->name));
  std::tie(task.n, task.k) = parse_order(shape);
  if (task.k == 0) task.k = task.n;
  return task;
}

BenchmarkPlan bench_rank_k(const BenchmarkOptions& options) {
  check_no_product_options(options);
  check_no_names(options);
  check_no_batch(options);
  check_references(options.against);
  const Choice choice = options.forced.choice();
  BenchmarkPlan plan{.columns = {{"call", false, false, 28},
                                 {"time", true, false, 8},
                                 {"GFLOP/s", true, false, 7},
                                 {"first call", true, true, 10},
                                 {"error/bound", true, true, 11},
                                 {"verified", true, false, 8}}};
  add_reference_columns(plan.columns, options.against);
  plan.columns.push_back({"method", false, true, 60});
  for (const std::string& shape : options.shapes) {
    const RankKTask task = task_of(options, shape);
    plan.problems.push_back({to_string(task), [&options, task, choice](const Session& session) {
                               return measure(session, task, choice, options);
                             }});
  }
  if (plan.problems.empty()) throw UsageError("nothing to measure: give --shape");
  return plan;
}

}  // namespace

std::vector<Benchmark> rank_k_benchmarks() {
  std::vector<Benchmark> benchmarks;
  for (const RankKRoutine& routine : rank_k_routines()) benchmarks.push_back({routine.name, bench_rank_k});
  return benchmarks;
}

}  // namespace tilewright::tool
