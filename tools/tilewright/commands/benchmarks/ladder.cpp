#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "benchmarks/gemm.hpp"
#include "commands/commands.hpp"
#include "options/option_values.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"

namespace tilewright::tool {
namespace {

struct LadderOptions : BenchmarkOptions {
  std::string shape;
};

/// Returns the fastest verified row; null if there is none.
const BenchmarkRow* fastest_of(const std::vector<BenchmarkRow>& rows) {
  const BenchmarkRow* fastest = nullptr;
  for (const BenchmarkRow& row : rows)
    if (row.seconds > 0 && (fastest == nullptr || row.seconds < fastest->seconds)) fastest = &row;
  return fastest;
}

int run_ladder(const BenchmarkOptions& options) {
  const BenchmarkPlan plan = find_benchmark(options.operation.name).ladder(options);
  const Session session(options.product.device);
  const BenchmarkProblem& problem = plan.problems.front();
  BenchmarkResult result = problem.measure(session);
  clear_progress();
  // Rows of other libraries are only in the table.
  const auto ran = [](const BenchmarkRow& row) { return !row.json.is_null() && row.seconds > 0; };
  if (result.failures.empty() && std::none_of(result.rows.begin(), result.rows.end(), ran))
    result.failures.emplace_back("no variant was run; the table says why");
  const BenchmarkRow* const fastest = fastest_of(result.rows);
  Table table(plan.columns);
  for (const BenchmarkRow& row : result.rows) {
    table.add_row(row.cells, &row == fastest);
    if (!options.json || row.json.is_null()) continue;
    Json line = row.json;
    line["fastest"] = &row == fastest;
    print_json(line);
  }
  if (!options.json) fmt::print("{}{}", result.heading, table.to_string(output_page()));
  for (const std::string& failure : result.failures)
    print_error(problem.label.empty() ? failure : fmt::format("{}: {}", problem.label, failure));
  return result.failures.empty() ? 0 : ExitStatus::failed;
}

}  // namespace

void add_ladder_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("ladder", "Run every variant on one product, verify it and compare the speeds");
  constexpr std::uint64_t max_size = std::uint64_t{1} << 32;
  const auto options = std::make_shared<LadderOptions>();
  options->size = 512;
  options->runs = 5;
  CLI::Option* const size = command->add_option("--size", options->size, "square size: m = n = k, or m = n")
                                ->transform(whole_number(1, max_size))
                                ->capture_default_str();
  command->add_option("--shape", options->shape, "sizes: MxNxK for a product, MxN for a matrix")->excludes(size);
  options->operation.add_with_files_to(*command, benchmark_names(true));
  options->product.add_to(*command);
  command->add_option("--variant", options->variants, "run only these variants, comma-separated")->delimiter(',');
  add_against_option(*command, options->against);
  command->add_flag("--json", options->json, "print one JSON object per variant");
  command->footer(
      fmt::format("An asterisk marks the fastest. A variant whose calls would take more than {} s each does not run; "
                  "its row says so.\n"
                  "Example:\n"
                  "  tilewright ladder --size 1024 --against clblast,openblas\n"
                  "  tilewright ladder --op spmm A.npz --columns 32",
                  ladder_budget_seconds));
  command->callback([&action, options] {
    if (!options->shape.empty()) options->shapes = {options->shape};
    action = [options] { return run_ladder(*options); };
  });
}

}  // namespace tilewright::tool
