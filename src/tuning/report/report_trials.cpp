#include "tuning/report/report_trials.hpp"

#include <map>
#include <string>

namespace tilewright::tuning {
namespace {

std::string key_of(const Choice& choice) { return choice.variant + ' ' + to_string(choice.configuration); }

}  // namespace

std::vector<ReportTrial> report_trials(const Tuned& tuned) {
  std::vector<ReportTrial> result;
  std::map<std::string, std::size_t> places;
  for (const auto& [trial, evaluation] : tuned.evaluations) {
    const auto [place, is_new] = places.emplace(key_of(trial.choice), result.size());
    if (is_new) result.emplace_back();
    result[place->second] = {&trial.choice, &evaluation, evaluation.timed() ? evaluation.seconds : 0,
                             evaluation.timings};
  }
  std::vector<const Timed*> finals{&tuned.untuned, &tuned.best};
  for (const Timed& timed : tuned.of_variants) finals.push_back(&timed);
  for (const Timed* const final : finals) {
    const auto place = places.find(key_of(final->choice));
    if (place == places.end() || !(final->seconds > 0)) continue;
    ReportTrial& shown = result[place->second];
    if (!shown.evaluation->timed()) continue;
    shown.seconds = final->seconds;
    shown.timings = final->timings;
  }
  return result;
}

}  // namespace tilewright::tuning
