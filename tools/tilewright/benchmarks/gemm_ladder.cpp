#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "benchmarks/estimate.hpp"
#include "benchmarks/gemm.hpp"
#include "benchmarks/gemm_contenders.hpp"
#include "benchmarks/rows.hpp"
#include "compare/references.hpp"
#include "kernels/element_type.hpp"
#include "options/shape.hpp"
#include "text/format.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {
namespace {

/// Products with at most this many operations run without a time estimate.
constexpr double small_flops = 1e9;

/// All variants, and other libraries, on one product.
class GemmLadder {
 public:
  GemmLadder(const Session& session, const GemmProblem& problem)
      : session_(session),
        workload_(session, problem),
        contest_(session.engine(), to_string(problem), [this] { workload_.poison(); }) {}

  BenchmarkResult run(const BenchmarkOptions& options, const std::vector<Choice>& choices) {
    for (const Choice& choice : choices) add_variant(choice);
    for (const std::string& name : options.against) add_reference(name);
    contest_.time({.runs = options.runs, .budget_seconds = ladder_budget_seconds});
    BenchmarkResult result{.failures = std::move(failures_)};
    for (const Entrant& entrant : contest_.own)
      result.rows.push_back({.cells = cells_of(entrant),
                             .json = gemm_json(workload_.problem(), entrant, contest_.references, session_.device()),
                             .seconds = entrant.verified() ? entrant.seconds : 0});
    for (const Entrant& entrant : contest_.references)
      result.rows.push_back({.cells = cells_of(entrant), .seconds = entrant.verified() ? entrant.seconds : 0});
    const Device& device = session_.device();
    result.heading =
        fmt::format("device {}  {}  ({}, driver {})\nC = A B, {}, row-major\n\n", device.index(), device.profile.name,
                    device.profile.platform_name, device.profile.driver_version, to_string(workload_.problem()));
    return result;
  }

 private:
  void add_variant(const Choice& choice) {
    const std::string configuration = tilewright::to_string(choice.configuration);
    const Support support = gemm_support(session_.device().profile, choice.variant, workload_.problem());
    const std::size_t index = contest_.own.size();
    std::string note = support.supported ? std::string() : fmt::format("skipped: {}", support.reason);
    if (support.supported) try {
        note = run_variant(choice);
      } catch (const Error& error) {
        note = fmt::format("skipped: {}", error.what());
        // A strategy may exceed this device's limits. Other errors are failures.
        if (error.code() != ErrorCode::invalid_configuration && error.code() != ErrorCode::unsupported_variant) {
          note = fmt::format("failed: {}", error.what());
          failures_.push_back(fmt::format("{}: {}", choice.variant, error.what()));
        }
      }
    if (contest_.own.size() == index) contest_.own.push_back({.name = choice.variant});
    Entrant& entrant = contest_.own.back();
    entrant.note = std::move(note);
    entrant.contender.variant = choice.variant;
    if (!entrant.ran()) entrant.contender.configuration = configuration;
  }

  /// Returns why the variant did not run, or nothing.
  std::string run_variant(const Choice& choice) {
    const GemmProblem& problem = workload_.problem();
    const ProgramStatistics before = session_.engine().program_statistics();
    double first_call_seconds = 0;
    if (flops_of(problem) > small_flops) {
      const Estimate estimate = estimate_call(session_, problem, choice, ladder_budget_seconds);
      first_call_seconds = estimate.first_call_seconds;
      if (!estimate.affordable)
        return fmt::format("capped: a call at {} x {} x {} would take about {}, the budget is {}", estimate.problem.m,
                           estimate.problem.n, estimate.problem.k, format_seconds(estimate.seconds),
                           format_seconds(ladder_budget_seconds));
    }
    Entrant& entrant = contest_.add(
        choice.variant, [&] { return plan_contender(workload_, GemmPlan(session_.engine(), problem, choice)); });
    // The estimate's first small call may have compiled this plan's kernel, so its time counts.
    entrant.first_call_seconds += first_call_seconds;
    entrant.compilation = compiled_since(before, session_.engine());
    note_failure(entrant);
    return {};
  }

  void add_reference(const std::string& name) {
    try {
      note_failure(contest_.add_reference(name, [&] { return library_contender(name, workload_); }));
    } catch (const std::exception& error) {
      contest_.references.back().note = fmt::format("failed: {}", error.what());
      failures_.push_back(fmt::format("{}: {}", name, error.what()));
    }
    contest_.references.back().contender.variant = name;
  }

  void note_failure(const Entrant& entrant) {
    if (!entrant.verified())
      failures_.push_back(fmt::format("wrong result of {}: {}", entrant.name, entrant.verdict.wrong));
  }

  std::vector<Cell> cells_of(const Entrant& entrant) const {
    const Contender& contender = entrant.contender;
    if (!entrant.measured()) {
      std::vector<Cell> row{{contender.variant, Style::faint}};
      row.resize(row.size() + 6, Cell("-"));
      // The full message is printed below the table.
      row.emplace_back(contender.configuration + (contender.configuration.empty() ? "" : "  ") +
                       entrant.note.substr(0, entrant.note.find('\n')));
      return row;
    }
    const auto naive = std::find_if(contest_.own.begin(), contest_.own.end(), [](const Entrant& other) {
      return other.contender.variant == "naive" && other.measured();
    });
    return {contender.variant,
            format_seconds(entrant.seconds),
            format_number(gflops(workload_.problem(), entrant)),
            naive != contest_.own.end() ? format_number(naive->seconds / entrant.seconds) : "-",
            format_seconds(entrant.first_call_seconds),
            format_number(entrant.verdict.error_over_bound),
            verified_cell(entrant),
            contender.configuration};
  }

  const Session& session_;
  Workload workload_;
  Contest contest_;
  std::vector<std::string> failures_;
};

}  // namespace

BenchmarkPlan ladder_gemm(const BenchmarkOptions& options) {
  options.operation.check_gemm();
  const std::vector<Choice> choices = choices_of(pick_variants(gemm_variants(), options.variants));
  check_references(options.against);
  const std::string square = fmt::format("{0}x{0}x{0}", options.size);
  const GemmProblem problem = options.product.problem(options.shapes.empty() ? square : options.shapes.front());
  check_references(options.against, problem);
  const auto measure = [&options, choices, problem](const Session& session) {
    if (!detail::why_unsupported(problem.type, session.device().profile).empty())
      throw Error(ErrorCode::unsupported_type,
                  session.device().profile.name + " has no double precision; use --type f32");
    return GemmLadder(session, problem).run(options, choices);
  };
  return {.columns = {{"variant"},
                      {"time", true},
                      {"GFLOP/s", true},
                      {"x naive", true},
                      {"first call", true, true},
                      {"error/bound", true, true},
                      {"verified"},
                      {"configuration", false, true}},
          .problems = {{{}, measure}}};
}

}  // namespace tilewright::tool
