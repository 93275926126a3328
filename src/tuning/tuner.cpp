#include "tuning/tuner.hpp"

#include <algorithm>

#include "tuning/tuning_run.hpp"
#include "verification/common/parallel.hpp"

namespace tilewright::tuning {

unsigned tuning_threads(const DeviceProfile& device) {
  return device.type == DeviceType::cpu ? 1 : std::clamp(verification::worker_count() / 2, 1U, 4U);
}

Tuner::Tuner(const Engine& engine, Evaluator& evaluator, DeviceEvaluator& bench, Journal& journal, TuneOptions options)
    : engine_(engine), evaluator_(evaluator), bench_(bench), journal_(journal), options_(std::move(options)) {}

std::vector<Tuned> Tuner::run(const std::vector<Problem>& problems, const Listener& listener,
                              const std::function<void(const Tuned&)>& done) {
  TuningRun run(engine_, evaluator_, bench_, journal_, options_, listener, problems);
  const auto tune = [&](std::size_t i) {
    if (run.stopped()) return;
    run.tune(i);
    const std::lock_guard lock(run.mutex());
    if (done) done(run.results()[i]);
  };
  verification::parallel_for(problems.size(), tune, options_.threads);
  if (!run.stopped()) run.compare_all();
  failure_ = run.failure();
  return std::move(run.results());
}

}  // namespace tilewright::tuning
