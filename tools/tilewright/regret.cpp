#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>

#include "commands.hpp"
#include "format.hpp"
#include "gemm/problem.hpp"
#include "gemm/selections.hpp"
#include "json_output.hpp"
#include "messages.hpp"
#include "option_values.hpp"
#include "product_options.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "shape.hpp"
#include "shapes_file.hpp"
#include "table.hpp"
#include "text.hpp"
#include "tune_worker.hpp"
#include "tuning/device_evaluator.hpp"
#include "tuning/journal.hpp"
#include "tuning/lanes.hpp"
#include "tuning/tuner.hpp"
#include "verification/parallel.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

struct Options {
  ProductOptions product;
  std::string shapes;
  std::string journal;
  std::size_t tries = 50;
  std::size_t count = 40;
  double most_gflop = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

struct Regret {
  GemmProblem problem;
  Trial chosen;
  std::string reason;
  double chosen_seconds = 0;
  Trial best{};
  double best_seconds = 0;
  std::size_t tried = 0;

  double value() const { return chosen_seconds / best_seconds; }
};

// Every so many shapes of a list, so that `count` of them span it.
std::vector<GemmProblem> spread(std::vector<GemmProblem> problems, std::size_t count) {
  if (problems.size() <= count) return problems;
  std::vector<GemmProblem> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(problems[i * problems.size() / count]);
  return result;
}

Evaluation evaluate(Evaluator& evaluator, Journal& journal, const Trial& trial, double best) {
  for (const auto& [known, evaluation] : journal.known())
    if (known.problem == trial.problem && same_way(known, trial)) return evaluation;
  journal.begin(trial);
  try {
    Evaluation evaluation = evaluator.evaluate(trial, best);
    journal.end(trial, evaluation);
    return evaluation;
  } catch (const SystemError&) {
    journal.cut(trial);
    throw;
  }
}

Regret measure(const Session& session, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal,
               const detail::RecordBook& book, const GemmProblem& problem, const Options& options) {
  const DeviceProfile& device = session.device().profile;
  const detail::GemmSelection selection = detail::select_gemm(device, book, problem, {});
  Regret regret{problem, {problem, selection.variant->name, selection.configurations.front()}, selection.reason};
  std::vector<std::pair<double, Trial>> right;
  double best = std::numeric_limits<double>::infinity();
  const auto try_out = [&](const Trial& trial) {
    Evaluation evaluation = evaluate(evaluator, journal, trial, best);
    if (evaluation.status == Status::ok) {
      best = std::min(best, evaluation.seconds);
      right.emplace_back(evaluation.seconds, trial);
    }
    ++regret.tried;
    return evaluation;
  };
  if (!try_out(regret.chosen).timed()) throw std::runtime_error("the chosen configuration failed");

  std::vector<Trial> hints;
  for (const GemmRecord& record : book.set().records)
    if (record.problem.type == problem.type) hints.push_back({problem, record.variant, record.configuration});
  Lanes lanes(device, problem, {}, search_strategies().front(), options.seed, hints, false);
  for (auto trial = lanes.next(); trial && regret.tried <= options.tries; trial = lanes.next()) {
    show_progress(fmt::format("{}: {} of {} tried", to_string(problem), regret.tried, options.tries));
    lanes.tell(*trial, try_out(*trial));
  }

  // The choice and the best three, once more in turns.
  std::stable_sort(right.begin(), right.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
  std::vector<Trial> finalists{regret.chosen};
  for (const auto& [seconds, trial] : right)
    if (finalists.size() < 4 && !same_way(trial, regret.chosen)) finalists.push_back(trial);
  std::vector<std::unique_ptr<GemmPlan>> plans;
  std::vector<const GemmPlan*> pointers;
  for (const Trial& trial : finalists) {
    plans.push_back(make_trial_plan(session.engine(), trial));
    pointers.push_back(plans.back().get());
  }
  const auto seconds = bench.time_in_turns(problem, pointers, 10);
  regret.chosen_seconds = median(seconds.front());
  regret.best = regret.chosen;
  regret.best_seconds = regret.chosen_seconds;
  for (std::size_t i = 1; i < finalists.size(); ++i)
    if (const double value = median(seconds[i]); value < regret.best_seconds) {
      regret.best_seconds = value;
      regret.best = finalists[i];
    }
  return regret;
}

RowPrinter make_table() {
  return {{{"product", false, false, 26},
           {"chosen", true, false, 8},
           {"best", true, false, 8},
           {"regret", true, false, 6},
           {"tried", true, false, 5},
           {"chosen configuration", false, true, 70},
           {"best configuration", false, true, 70}},
          output_page()};
}

std::string way_of(const Trial& trial) { return trial.variant + ' ' + tilewright::to_string(trial.configuration); }

Json to_json(const Regret& regret, const Device& device) {
  Json line = {{"m", regret.problem.m},
               {"n", regret.problem.n},
               {"k", regret.problem.k},
               {"trans", transposes_of(regret.problem)},
               {"type", tilewright::to_string(regret.problem.type)},
               {"variant", regret.chosen.variant},
               {"configuration", tilewright::to_string(regret.chosen.configuration)},
               {"reason", regret.reason},
               {"seconds", regret.chosen_seconds},
               {"best_variant", regret.best.variant},
               {"best_configuration", tilewright::to_string(regret.best.configuration)},
               {"best_seconds", regret.best_seconds},
               {"tries", regret.tried},
               {"regret", regret.value()}};
  add_device(line, device);
  return line;
}

void print(const Regret& regret, const Device& device, bool json, RowPrinter& table) {
  clear_progress();
  if (json) {
    print_json(to_json(regret, device));
    return;
  }
  fmt::print("{}", table.add_row({to_string(regret.problem), format_seconds(regret.chosen_seconds),
                                  format_seconds(regret.best_seconds), fmt::format("{:.3f}", regret.value()),
                                  std::to_string(regret.tried), way_of(regret.chosen), way_of(regret.best)}));
  std::fflush(stdout);
}

int run(const Options& options) {
  const Session session(options.product.device);
  const DeviceProfile& device = session.device().profile;
  auto problems = read_shapes(options.shapes, options.product.problem());
  const double most = options.most_gflop > 0 ? options.most_gflop : device.type == DeviceType::cpu ? 4 : 1e9;
  const detail::RecordBook book = detail::open_record_book(device);
  for (GemmProblem& problem : problems) problem = detail::normalized(problem);
  std::erase_if(problems, [&](const GemmProblem& problem) {
    const auto& records = book.set().records;
    return flops_of(problem) > most * 1e9 ||
           std::any_of(records.begin(), records.end(), [&](const GemmRecord& r) { return r.problem == problem; });
  });
  DeviceEvaluator bench(session.engine());
  std::unique_ptr<Evaluator> isolated;
  // A CPU's compiler takes minutes over some kernels.
  if (device.type == DeviceType::cpu) isolated = make_isolated_evaluator(session, 10);
  Evaluator& evaluator = isolated ? static_cast<Evaluator&>(*isolated) : bench;
  if (!options.journal.empty() && Journal::is_foreign(options.journal))
    throw std::runtime_error(options.journal + " is no journal of this version; name another file");
  Journal journal(options.journal.empty() ? "" : std::filesystem::absolute(options.journal), device, true);
  problems = spread(std::move(problems), options.count);
  double logarithms = 0;
  RowPrinter table = make_table();
  std::size_t count = 0;
  double worst = 1;
  int status = 0;
  std::mutex printing;
  const auto measure_one = [&](std::size_t i) {
    try {
      const Regret regret = measure(session, evaluator, bench, journal, book, problems[i], options);
      const std::lock_guard lock(printing);
      print(regret, session.device(), options.json, table);
      logarithms += std::log(regret.value());
      worst = std::max(worst, regret.value());
      ++count;
    } catch (const SystemError&) {
      throw;  // the others would fail as well
    } catch (const std::exception& error) {
      const std::lock_guard lock(printing);
      print_error(fmt::format("{}: {}", to_string(problems[i]), error.what()));
      status = 1;
    }
  };
  verification::parallel_for(problems.size(), measure_one, tuning_threads(device));
  if (count == 0) throw std::runtime_error("there is no shape to measure");
  if (!options.json)
    fmt::print("geometric mean {:.3f}, worst {:.3f}, over {}\n", std::exp(logarithms / static_cast<double>(count)),
               worst, count_of(count, "shape"));
  return status;
}

}  // namespace

void add_regret_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "regret", "Measure what the choice by records costs: its time over that of the best of many tries");
  const auto options = std::make_shared<Options>();
  command->add_option("--shapes", options->shapes, "a table (CSV) with the columns m,n,k,trans_a,trans_b,batch")
      ->required();
  options->product.add_to(*command);
  command->add_option("--tries", options->tries, "configurations that are tried for each shape")
      ->transform(whole_number(1, 1000000))
      ->capture_default_str();
  command->add_option("--count", options->count, "shapes that are taken, evenly from the table")
      ->transform(whole_number(1, 1000000))
      ->capture_default_str();
  command->add_option("--most-gflop", options->most_gflop, "leave out larger products; on CPUs 4 unless given")
      ->check(positive_number(1e12));
  command->add_option("--seed", options->seed, "of the random choices")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command->add_option("--journal", options->journal,
                      "a file that notes every trial; what it holds of an earlier run is not tried again");
  command->add_flag("--json", options->json, "one JSON object a shape");
  command->footer(
      "Shapes that have records of their own are left out.\nExample:\n  tilewright regret --shapes shapes.csv");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
