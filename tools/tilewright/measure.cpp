#include "measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "progress.hpp"

namespace tilewright::tool {
namespace {

constexpr double batch_seconds = 0.02;
constexpr double most_calls = 1000;

double timed_run(Contender& contender, unsigned calls) {
  const auto begin = std::chrono::steady_clock::now();
  contender.run(calls);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Batch {
  unsigned calls = 0;
  double seconds = 0;
};

/// A batch that is long enough. One call alone may be slow for once, so the number of calls is approached.
Batch find_batch(Contender& contender) {
  Batch batch{1, 0};
  for (;;) {
    batch.seconds = timed_run(contender, batch.calls);
    if (batch.seconds >= batch_seconds || batch.calls >= most_calls) return batch;
    const double wanted = std::ceil(batch.calls * batch_seconds / std::max(batch.seconds, 1e-9));
    batch.calls = static_cast<unsigned>(std::min({wanted, batch.calls * 8.0, most_calls}));
  }
}

}  // namespace

Compilation compiled_since(const ProgramStatistics& before, const Engine& engine) {
  const ProgramStatistics now = engine.program_statistics();
  return {now.compiled - before.compiled, now.compile_seconds - before.compile_seconds};
}

double Entrant::median_seconds() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 != 0 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

Entrant make_entrant(const std::string& name, Workload& workload,
                     const std::function<std::unique_ptr<Contender>()>& make) {
  Entrant entrant;
  entrant.name = name;
  workload.poison();
  const Engine& engine = workload.session().engine();
  const ProgramStatistics before = engine.program_statistics();
  const auto begin = std::chrono::steady_clock::now();
  entrant.contender = make();
  entrant.contender->run(1);
  entrant.first_call_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  entrant.compilation = compiled_since(before, engine);
  entrant.contender->settle();
  entrant.comparison = entrant.contender->check();
  return entrant;
}

void measure(std::span<Entrant* const> entrants, const MeasureLimits& limits) {
  struct Pace {
    unsigned calls = 0;
    double spent = 0;
  };
  std::vector<Pace> paces(entrants.size());
  for (unsigned run = 0; run < limits.runs; ++run) {
    for (std::size_t i = 0; i < entrants.size(); ++i) {
      Entrant& entrant = *entrants[i];
      Pace& pace = paces[i];
      if (run > 0 && pace.spent + pace.calls * entrant.seconds.back() > limits.budget_seconds) continue;
      show_progress(fmt::format("timing {}, run {} of {}", entrant.name, run + 1, limits.runs));
      Batch batch{pace.calls, 0};
      if (run == 0) {
        batch = find_batch(*entrant.contender);
      } else {
        if (batch.calls > 1) entrant.contender->run(1);  // brings operands and code back into the caches
        batch.seconds = timed_run(*entrant.contender, batch.calls);
      }
      entrant.contender->settle();
      pace.calls = batch.calls;
      pace.spent += batch.seconds;
      entrant.seconds.push_back(batch.seconds / batch.calls);
    }
  }
}

}  // namespace tilewright::tool
