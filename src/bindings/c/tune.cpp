#include "tilewright/c/tune.h"

#include <atomic>
#include <cmath>

#include "bindings/c/json_text.hpp"
#include "bindings/c/parts.hpp"
#include "tilewright/records.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/operations/transpose_tunable.hpp"
#include "tuning/search/search.hpp"
#include "tuning/stored_results.hpp"
#include "tuning/tuner.hpp"

namespace tilewright::c {
namespace {

constexpr double default_seconds = 300;

std::string text_or(const char* text, const std::string& standard) {
  return text == nullptr || *text == '\0' ? standard : text;
}

template <class CProblem>
void add_problems(std::vector<tuning::Problem>& problems, const CProblem* const* given, std::uint64_t count) {
  if (count > 0) expect_argument(given, "the array of problems");
  for (std::uint64_t i = 0; i < count; ++i) {
    const tuning::Problem problem = tuning::tunable(from_c(*Input(given[i])));
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
  }
}

struct Work {
  const tuning::Operation& operation;
  std::vector<tuning::Problem> problems{};
};

Work work_from(const tilewright_tune_options& options, const DeviceProfile& device) {
  if (options.gemm_problems_count > 0) {
    Work work{tuning::gemm_operation};
    add_problems(work.problems, options.gemm_problems, options.gemm_problems_count);
    return work;
  }
  if (options.transpose_problems_count > 0) {
    Work work{tuning::transpose_operation};
    add_problems(work.problems, options.transpose_problems, options.transpose_problems_count);
    return work;
  }
  const tuning::Operation& operation = tuning::find_operation(text_or(options.operation, "gemm"));
  return {operation, operation.preset(text_or(options.preset, tuning::shape_presets().front()),
                                      from_c(options.type, DataType::f32), device)};
}

tuning::TuneOptions tune_options_from(const tilewright_tune_options& options, const std::atomic<bool>& stop) {
  tuning::TuneOptions tune{.strategy = text_or(options.strategy, tuning::search_strategies().front()), .stop = &stop};
  const auto known = tuning::search_strategies();
  if (std::find(known.begin(), known.end(), tune.strategy) == known.end())
    throw Failure(TILEWRIGHT_INVALID_ARGUMENT, "there is no strategy '" + tune.strategy + "'");
  if (std::isnan(options.seconds) || options.seconds < 0)
    throw Failure(TILEWRIGHT_INVALID_ARGUMENT, "seconds must be a number that is not negative");
  tune.budget.seconds = options.seconds == 0 ? default_seconds : options.seconds;
  if (options.evaluations > 0) tune.budget.evaluations = options.evaluations;
  tune.seed = number_or(options.seed, tune.seed);
  return tune;
}

void report_progress(const tilewright_tune_options& options, const tuning::TuneProgress& progress,
                     std::uint64_t problems, std::atomic<bool>& stop) {
  if (options.progress == nullptr) return;
  const std::string label = progress.problem->label();
  tilewright_tune_progress known{};
  known.struct_size = sizeof known;
  known.problem = progress.index;
  known.problems = problems;
  known.evaluations = progress.evaluations;
  known.best_seconds = progress.best_seconds;
  known.untuned_seconds = progress.untuned_seconds;
  known.seconds_left = progress.seconds_left;
  known.problem_text = label.c_str();
  known.activity = progress.activity.c_str();
  if (options.progress(&known, options.user) != 0) stop = true;
}

Json result_of(const tuning::Tuned& tuned) {
  return {{"problem", tuned.problem->label()},
          {"variant", tuned.best.choice.variant},
          {"configuration", to_json(tuned.best.choice.configuration)},
          {"seconds", tuned.best.seconds},
          {"untuned_seconds", tuned.untuned.seconds},
          {"evaluations", tuned.evaluations.size()},
          {"message", tuned.problem_message}};
}

void tune(const Engine& engine, const tilewright_tune_options& options, char** report) {
  expect_zero(options.reserved1);
  const DeviceProfile& device = engine.profile();
  Work work = work_from(options, device);
  std::atomic<bool> stop = false;
  tuning::TuneOptions tune = tune_options_from(options, stop);
  tune.threads = tuning::tuning_threads(device);
  check_records_storable(device);
  if (options.refresh == 0)
    work.problems = tuning::without_records(std::move(work.problems), work.operation, device, nullptr);

  tuning::DeviceEvaluator evaluator(engine);
  tuning::Journal journal({}, device, false);
  tuning::Tuner tuner(engine, evaluator, evaluator, journal, tune);
  const std::vector<tuning::Tuned> results = tuner.run(
      work.problems,
      [&](const tuning::TuneProgress& progress) { report_progress(options, progress, work.problems.size(), stop); },
      [&](const tuning::Tuned& tuned) { tuning::store(tuned, work.operation, device); });
  for (const tuning::Tuned& tuned : results)
    if (!tuned.others.empty()) tuning::store(tuned, work.operation, device);
  if (!tuner.failure().empty()) throw Failure(TILEWRIGHT_INTERNAL_ERROR, tuner.failure());
  if (!stop) tuning::cross_validate_records(work.operation, device);

  Json finished = Json::array();
  for (const tuning::Tuned& tuned : results) finished.push_back(result_of(tuned));
  if (report != nullptr)
    *report = owned_text(Json{{"records", records_file(device).value_or("").string()},
                              {"stopped", stop.load()},
                              {"results", std::move(finished)}});
  if (stop)
    throw Failure(TILEWRIGHT_CANCELLED, "progress() ended the run after " + std::to_string(results.size()) + " of " +
                                            std::to_string(work.problems.size()) + " problems");
}

}  // namespace
}  // namespace tilewright::c

tilewright_status tilewright_tune(const tilewright_engine* engine, const tilewright_tune_options* options,
                                  char** report) {
  using namespace tilewright::c;
  return guarded([&] {
    tilewright_tune_options none{};
    none.struct_size = sizeof none;
    tune(engine_of(engine), *Input(options == nullptr ? &none : options), report);
  });
}
