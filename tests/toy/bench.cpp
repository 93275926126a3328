// The toy in `tilewright bench` and `ladder`.
#include <memory>
#include <utility>

#include "benchmarks/benchmark.hpp"
#include "compare/measure.hpp"
#include "runtime/system/plain_text.hpp"
#include "text/format.hpp"
#include "toy/tunable.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

BenchmarkRow measure(const Session& session, const tuning::Problem& problem, const Choice& choice, unsigned runs) {
  const auto plan = problem->plan(session.engine(), choice);
  const auto data = problem->data(session.engine(), session.queue());
  const std::string wrong = data->check(*plan);
  Timed timed{.name = choice.variant,
              .run =
                  [&](unsigned calls) {
                    for (unsigned call = 0; call < calls; ++call) data->enqueue(*plan, true).wait();
                  },
              .settle = {}};
  measure_in_turns({&timed, 1}, {.runs = runs});
  BenchmarkRow row{.cells = {choice.variant, format_seconds(timed.seconds.front()), wrong.empty() ? "yes" : "NO"}};
  row.json = {{"operation", "toy"},
              {"variant", choice.variant},
              {"seconds", timed.seconds.front()},
              {"verified", wrong.empty()}};
  if (wrong.empty()) row.seconds = timed.seconds.front();
  return row;
}

// A plan with a row for each choice.
template <class Choices>
BenchmarkPlan plan_of(const BenchmarkOptions& options, std::uint64_t bytes, const Choices& choices) {
  const auto measure_all = [problem = tuning::tunable({bytes}), runs = options.runs, choices](const Session& session) {
    BenchmarkResult result;
    for (const Choice& choice : choices(*problem, session.device().profile))
      result.rows.push_back(measure(session, problem, choice, runs));
    return result;
  };
  return {.columns = {{"variant"}, {"time"}, {"verified"}}, .problems = {{"toy", measure_all}}};
}

BenchmarkPlan bench(const BenchmarkOptions& options) {
  const auto bytes = detail::find_whole<std::uint64_t>(single_shape(options));
  if (!bytes) throw UsageError("--shape of a toy is a number of bytes");
  return plan_of(options, *bytes, [](const tuning::Tunable& toy, const DeviceProfile& device) {
    return std::vector{toy.untuned(device)};
  });
}

BenchmarkPlan ladder(const BenchmarkOptions& options) {
  return plan_of(options, options.size, [](const tuning::Tunable& toy, const DeviceProfile& device) {
    std::vector<Choice> choices;
    for (const std::string& variant : toy.variants(device))
      choices.push_back({variant, toy.seeds(variant, device).front()});
    return choices;
  });
}

}  // namespace

extern const Benchmark toy_benchmark{"toy", bench, ladder};

}  // namespace tilewright::tool
