#include "compare/ladder.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/operation_commands.hpp"
#include "commands/sparse_commands.hpp"
#include "kernels/element_type.hpp"
#include "option_values.hpp"
#include "product_options.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {
namespace {

constexpr std::uint64_t max_size = std::uint64_t{1} << 32;

struct Options {
  ProductOptions product;
  std::string shape;
  std::uint64_t size = 512;
  OperationOptions operation;
  std::vector<std::string> variants;  ///< empty: all
  std::vector<std::string> against;
  bool json = false;
};

/// Returns the fastest verified row; null if there is none.
const LadderRow* fastest_of(const Ladder& ladder) {
  const LadderRow* fastest = nullptr;
  for (const std::deque<LadderRow>* const rows : {&ladder.variants(), &ladder.references()})
    for (const LadderRow& row : *rows)
      if (row.result.verified && (fastest == nullptr || row.result.seconds < fastest->result.seconds)) fastest = &row;
  return fastest;
}

/// The full message is printed below the table.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void print_table(const Session& session, const GemmProblem& problem, const Ladder& ladder) {
  Table table({{"variant"},
               {"time", true},
               {"GFLOP/s", true},
               {"x naive", true},
               {"first call", true, true},
               {"error/bound", true, true},
               {"verified"},
               {"configuration", false, true}});
  const LadderRow* const fastest = fastest_of(ladder);
  const auto naive = std::find_if(ladder.variants().begin(), ladder.variants().end(), [](const LadderRow& row) {
    return row.result.variant == "naive" && row.result.measured;
  });
  for (const std::deque<LadderRow>* const rows : {&ladder.variants(), &ladder.references()}) {
    for (const LadderRow& row : *rows) {
      const Result& result = row.result;
      if (!result.measured) {
        table.add_row({{result.variant, Style::faint},
                       "-",
                       "-",
                       "-",
                       "-",
                       "-",
                       "-",
                       result.configuration + (result.configuration.empty() ? "" : "  ") + first_line(result.note)});
        continue;
      }
      table.add_row({result.variant, format_seconds(result.seconds), format_number(result.gflops()),
                     naive != ladder.variants().end() ? format_number(naive->result.seconds / result.seconds) : "-",
                     format_seconds(result.first_call_seconds), format_number(result.error_over_bound),
                     result.verified ? Cell("yes") : Cell("NO", Style::bad), result.configuration},
                    &row == fastest);
    }
  }
  const Device& device = session.device();
  fmt::print("device {}  {}  ({}, driver {})\nC = A B, {}, row-major\n\n{}", device.index(), device.profile.name,
             device.profile.platform_name, device.profile.driver_version, to_string(problem),
             table.to_string(output_page()));
}

int run(const Options& options) {
  if (options.operation.is_transpose())
    return run_transpose_ladder(
        {.product = options.product,
         .forced = {},
         .operation = options.operation,
         .shapes = {options.shape.empty() ? fmt::format("{0}x{0}", options.size) : options.shape},
         .shapes_file = {},
         .variants = options.variants,
         .against = options.against,
         .runs = 5,
         .json = options.json});
  if (options.operation.is_spmm())
    return run_sparse_ladder({.product = options.product,
                              .forced = {},
                              .operation = options.operation,
                              .shape = options.shape,
                              .shapes_file = {},
                              .variants = options.variants,
                              .against = options.against,
                              .runs = 5,
                              .json = options.json});
  options.operation.check_gemm();
  const std::vector<VariantInfo> variants = pick_variants(gemm_variants(), options.variants);
  check_references(options.against);
  const std::string square = fmt::format("{0}x{0}x{0}", options.size);
  const GemmProblem problem = options.product.problem(options.shape.empty() ? square : options.shape);
  check_references(options.against, problem);
  const Session session(options.product.device);
  if (!detail::why_unsupported(problem.type, session.device().profile).empty()) {
    throw Error(ErrorCode::unsupported_type,
                session.device().profile.name + " has no double precision; use --type f32");
  }
  Ladder ladder(session, problem);
  ladder.add_variants(variants);
  for (const std::string& name : options.against) ladder.add_reference(name);
  ladder.time();
  clear_progress();
  if (options.json) {
    const LadderRow* const fastest = fastest_of(ladder);
    for (const LadderRow& row : ladder.variants()) {
      Json line = to_json(row.result, session.device());
      line["fastest"] = &row == fastest;
      print_json(line);
    }
  } else {
    print_table(session, problem, ladder);
  }
  const std::vector<std::string> failures = ladder.failures();
  for (const std::string& failure : failures) print_error(failure);
  return failures.empty() ? 0 : ExitStatus::failed;
}

}  // namespace

void add_ladder_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("ladder", "Run every variant on one product, verify it and compare the speeds");
  const auto options = std::make_shared<Options>();
  CLI::Option* const size = command->add_option("--size", options->size, "square size: m = n = k, or m = n")
                                ->transform(whole_number(1, max_size))
                                ->capture_default_str();
  command->add_option("--shape", options->shape, "sizes: MxNxK for a product, MxN for a matrix")->excludes(size);
  options->operation.add_with_files_to(*command);
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
                  Ladder::budget_seconds));
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
