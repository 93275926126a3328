#include "tuning/report_trials.hpp"

#include <map>

#include "records/record_json.hpp"

namespace tilewright::tuning {
namespace {

double products(const GemmProblem& problem) { return static_cast<double>(problem.batch.count); }

double flops(const GemmProblem& p) {
  return 2 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) * products(p);
}

std::string key_of(const Trial& trial) { return trial.variant + ' ' + to_string(trial.configuration); }

}  // namespace

std::vector<ReportTrial> report_trials(const Tuned& tuned) {
  std::vector<ReportTrial> result;
  std::map<std::string, std::size_t> places;
  for (const auto& [trial, evaluation] : tuned.evaluations) {
    const auto [place, is_new] = places.emplace(key_of(trial), result.size());
    if (is_new) result.emplace_back();
    result[place->second] = {&trial, &evaluation, evaluation.timed() ? evaluation.seconds : 0, evaluation.timings};
  }
  for (const Timed* final : {&tuned.untuned, &tuned.best}) {
    const auto place = places.find(key_of(final->trial));
    if (place == places.end() || !(final->seconds > 0)) continue;
    ReportTrial& shown = result[place->second];
    if (!shown.evaluation->timed()) continue;
    shown.seconds = final->seconds;
    shown.timings = final->timings;
  }
  return result;
}

std::string shape_name(const GemmProblem& problem) {
  const std::string times = problem.batch.count == 1 ? std::string() : std::to_string(problem.batch.count) + " times ";
  return times + std::to_string(problem.m) + " x " + std::to_string(problem.n) + " x " + std::to_string(problem.k) +
         ' ' + std::string(to_string(problem.type)) + ' ' + detail::transposes_of(problem);
}

double gflops(const GemmProblem& problem, double seconds) { return seconds > 0 ? 1e-9 * flops(problem) / seconds : 0; }

double intensity(const GemmProblem& p) {
  const auto m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  const bool strided = !p.batch.by_offsets && p.batch.count > 1;
  const double a = m * k * (strided && p.batch.stride_a == 0 ? 1 : products(p));
  const double b = k * n * (strided && p.batch.stride_b == 0 ? 1 : products(p));
  return flops(p) / ((a + b + m * n * products(p)) * static_cast<double>(size_of(p.type)));
}

}  // namespace tilewright::tuning
