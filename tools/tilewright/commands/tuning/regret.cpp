#include "tuning/regret.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>

#include "commands/commands.hpp"
#include "commands/tuning/tune_worker.hpp"
#include "files/shapes_file.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "tune/operations.hpp"
#include "tuning/tuner.hpp"
#include "verification/common/parallel.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

struct RegretOptions {
  ProblemOptions problem;
  std::string shapes;
  std::string journal;
  std::size_t tries = 50;
  std::size_t count = 40;
  double max_gflop = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

// Picks `count` shapes at equal distances in the list.
std::vector<Problem> spread(std::vector<Problem> problems, std::size_t count) {
  if (problems.size() <= count) return problems;
  std::vector<Problem> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(problems[i * problems.size() / count]);
  return result;
}

RowPrinter make_table() {
  return {{{"problem", false, false, 26},
           {"chosen", true, false, 8},
           {"best", true, false, 8},
           {"regret", true, false, 6},
           {"tried", true, false, 5},
           {"chosen configuration", false, true, 70},
           {"best configuration", false, true, 70}},
          output_page()};
}

std::string text_of(const Choice& choice) { return choice.variant + ' ' + tilewright::to_string(choice.configuration); }

Json to_json(const Regret& regret, const Device& device) {
  Json line = regret.problem->to_json();
  line["variant"] = regret.chosen.variant;
  line["configuration"] = tilewright::to_string(regret.chosen.configuration);
  line["reason"] = regret.reason;
  line["seconds"] = regret.chosen_seconds;
  line["best_variant"] = regret.best.variant;
  line["best_configuration"] = tilewright::to_string(regret.best.configuration);
  line["best_seconds"] = regret.best_seconds;
  line["tries"] = regret.tried;
  line["regret"] = regret.value();
  add_device(line, device);
  return line;
}

void print(const Regret& regret, const Device& device, bool json, RowPrinter& table) {
  clear_progress();
  if (json) {
    print_json(to_json(regret, device));
    return;
  }
  fmt::print("{}", table.add_row({regret.problem->label(), format_seconds(regret.chosen_seconds),
                                  format_seconds(regret.best_seconds), fmt::format("{:.3f}", regret.value()),
                                  std::to_string(regret.tried), text_of(regret.chosen), text_of(regret.best)}));
  std::fflush(stdout);
}

int run(const RegretOptions& options) {
  const Session session(options.problem.product.device);
  const DeviceProfile& device = session.device().profile;
  const TuneOperation& wanted = find_tune_operation(options.problem.operation.name);
  auto problems = wanted.read_table(options.shapes, options.problem);
  const double most = options.max_gflop > 0 ? options.max_gflop : device.type == DeviceType::cpu ? 4 : 1e9;
  DeviceEvaluator bench(session.engine());
  std::unique_ptr<Evaluator> isolated;
  // A CPU's compiler takes minutes for some kernels.
  if (device.type == DeviceType::cpu) isolated = make_isolated_evaluator(session, 10);
  Evaluator& evaluator = isolated ? static_cast<Evaluator&>(*isolated) : bench;
  if (!options.journal.empty() && Journal::is_foreign(options.journal))
    throw std::runtime_error(options.journal + " is not a journal of this version; name another file");
  Journal journal(options.journal.empty() ? "" : std::filesystem::absolute(options.journal), device, true);
  const RegretMeter meter(session.engine(), wanted.operation, evaluator, bench, journal,
                          {.tries = options.tries, .seed = options.seed});
  std::erase_if(problems, [&](const Problem& problem) {
    return problem->work().amount() > most * 1e9 || meter.has_records(problem);
  });
  problems = spread(std::move(problems), options.count);
  double logarithms = 0;
  RowPrinter table = make_table();
  std::size_t count = 0;
  double worst = 1;
  int status = 0;
  std::mutex printing;
  const auto measure_one = [&](std::size_t i) {
    try {
      const Regret regret = meter.measure(problems[i], [&](std::size_t tried) {
        show_progress(fmt::format("{}: {} of {} tried", problems[i]->label(), tried, options.tries));
      });
      const std::lock_guard lock(printing);
      print(regret, session.device(), options.json, table);
      logarithms += std::log(regret.value());
      worst = std::max(worst, regret.value());
      ++count;
    } catch (const SystemError&) {
      throw;  // all others would fail too
    } catch (const std::exception& error) {
      const std::lock_guard lock(printing);
      print_error(fmt::format("{}: {}", problems[i]->label(), error.what()));
      status = 1;
    }
  };
  verification::parallel_for(problems.size(), measure_one, tuning_threads(device));
  if (count == 0) throw std::runtime_error("no shape to measure: all have records or exceed the limit on GFLOP");
  if (!options.json)
    fmt::print("geometric mean {:.3f}, worst {:.3f}, over {}\n", std::exp(logarithms / static_cast<double>(count)),
               worst, count_of(count, "shape"));
  return status;
}

}  // namespace

void add_regret_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "regret", "Measure the regret of choices by records: their time over the time of the best of many tries");
  const auto options = std::make_shared<RegretOptions>();
  command->add_option("--shapes", options->shapes, shapes_table_help)->required();
  options->problem.operation.add_to(*command);
  options->problem.product.add_to(*command);
  command->add_option("--tries", options->tries, "configurations to try per shape")
      ->transform(whole_number(1, 1000000))
      ->capture_default_str();
  command->add_option("--count", options->count, "shapes to measure, spread evenly over the table")
      ->transform(whole_number(1, 1000000))
      ->capture_default_str();
  command
      ->add_option("--most-gflop", options->max_gflop,
                   "largest product in GFLOP; default: 4 on CPUs, otherwise no limit")
      ->check(positive_number(1e12));
  command->add_option("--seed", options->seed, "seed of the random choices")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command->add_option("--journal", options->journal,
                      "file that stores every trial; trials stored by an earlier run are not repeated");
  command->add_flag("--json", options->json, "print one JSON object per shape");
  command->footer("Shapes with records of their own are omitted.\nExample:\n  tilewright regret --shapes shapes.csv");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
