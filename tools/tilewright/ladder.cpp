#include <fmt/format.h>

#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "format.hpp"
#include "json_output.hpp"
#include "messages.hpp"
#include "option_values.hpp"
#include "product_options.hpp"
#include "progress.hpp"
#include "rungs.hpp"
#include "shape.hpp"
#include "table.hpp"
#include "tilewright/error.hpp"

namespace tilewright::tool {
namespace {

constexpr std::uint64_t most_size = std::uint64_t{1} << 32;

struct Options {
  ProductOptions product;
  std::string shape;
  std::uint64_t size = 512;
  std::vector<std::string> against;
  bool json = false;
};

/// The fastest of those that were measured and are right; null where there is none.
const Rung* fastest_of(const Ladder& ladder) {
  const Rung* fastest = nullptr;
  for (const std::deque<Rung>* const rungs : {&ladder.variants(), &ladder.references()})
    for (const Rung& rung : *rungs)
      if (rung.result.verified && (fastest == nullptr || rung.result.seconds < fastest->result.seconds))
        fastest = &rung;
  return fastest;
}

void print_table(const Session& session, const GemmProblem& problem, const Ladder& ladder) {
  Table table({{"variant"},
               {"time", true},
               {"GFLOP/s", true},
               {"x naive", true},
               {"first call", true, true},
               {"error/bound", true, true},
               {"verified"},
               {"configuration", false, true}});
  const Rung* const fastest = fastest_of(ladder);
  const Result& naive = ladder.variants().front().result;
  for (const std::deque<Rung>* const rungs : {&ladder.variants(), &ladder.references()}) {
    for (const Rung& rung : *rungs) {
      const Result& result = rung.result;
      if (!result.measured) {
        table.add_row({{result.variant, Style::faint},
                       "-",
                       "-",
                       "-",
                       "-",
                       "-",
                       "-",
                       result.configuration.empty() ? result.note : result.configuration + "  " + result.note});
        continue;
      }
      table.add_row({result.variant, format_seconds(result.seconds), format_number(result.gflops()),
                     naive.measured ? format_number(naive.seconds / result.seconds) : "-",
                     format_seconds(result.first_call_seconds), format_number(result.error_over_bound),
                     result.verified ? Cell("yes") : Cell("NO", Style::bad), result.configuration},
                    &rung == fastest);
    }
  }
  const Device& device = session.device();
  fmt::print("device {}  {}  ({}, driver {})\nC = A B, {}, row-major\n\n{}", device.index(), device.profile.name,
             device.profile.platform_name, device.profile.driver_version, to_string(problem),
             table.to_string(output_page()));
}

int run(const Options& options) {
  check_references(options.against);
  const std::string square = fmt::format("{0}x{0}x{0}", options.size);
  const GemmProblem problem = options.product.problem(options.shape.empty() ? square : options.shape);
  const Session session(options.product.device);
  if (problem.type == DataType::f64 && !session.device().profile.fp64) {
    throw Error(ErrorCode::unsupported_type,
                session.device().profile.name + " has no double precision; use --type f32");
  }
  Ladder ladder(session, problem);
  ladder.add_variants();
  for (const std::string& name : options.against) ladder.add_reference(name);
  ladder.time();
  clear_progress();
  if (options.json) {
    const Rung* const fastest = fastest_of(ladder);
    for (const Rung& rung : ladder.variants()) {
      Json line = to_json(rung.result, session.device());
      line["fastest"] = &rung == fastest;
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
      app.add_subcommand("ladder", "Run every variant on one product: verify it and compare its speed");
  const auto options = std::make_shared<Options>();
  CLI::Option* const size = command->add_option("--size", options->size, "m = n = k")
                                ->transform(whole_number(1, most_size))
                                ->capture_default_str();
  command->add_option("--shape", options->shape, "sizes of the product, MxNxK")->excludes(size);
  options->product.add_to(*command);
  add_against_option(*command, options->against);
  command->add_flag("--json", options->json, "one JSON object a line and variant");
  command->footer(fmt::format(
      "An asterisk marks the fastest. A variant whose calls would take more than {} s each is not run, and its row\n"
      "says so.\n"
      "Example:\n  tilewright ladder --size 1024 --against clblast,openblas",
      Ladder::budget_seconds));
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
