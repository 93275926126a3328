#include "benchmarks/contest.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/system/stopwatch.hpp"
#include "text/progress.hpp"
#include "tuning/measure/median.hpp"

namespace tilewright::tool {

Compilation compiled_since(const ProgramStatistics& before, const Engine& engine) {
  const ProgramStatistics now = engine.program_statistics();
  return {now.compiled - before.compiled, now.compile_seconds - before.compile_seconds};
}

Entrant skipped(const Choice& choice, const std::string& reason) {
  return {.name = choice.variant,
          .contender = {.variant = choice.variant, .configuration = tilewright::to_string(choice.configuration)},
          .note = "skipped: " + reason};
}

Entrant& Contest::enter(std::deque<Entrant>& list, const std::string& name, const std::function<Contender()>& make) {
  Entrant& entrant = list.emplace_back(Entrant{.name = name});
  show_progress(fmt::format("{}: first call of {}", label_, name.empty() ? "the chosen variant" : name));
  if (poison_) poison_();
  const ProgramStatistics before = engine_.program_statistics();
  const detail::Stopwatch making;
  Contender contender = make();
  const double making_seconds = making.seconds();
  if (name.empty()) entrant.name = contender.variant;
  if (contender.prepare) contender.prepare();
  const detail::Stopwatch running;
  contender.run(1);
  const double first_call_seconds = making_seconds + running.seconds();
  entrant.compilation = compiled_since(before, engine_);
  if (contender.settle) contender.settle();
  if (contender.check) {
    show_progress(fmt::format("{}: verifying {}", label_, entrant.name));
    entrant.verdict = contender.check();
  }
  entrant.first_call_seconds = first_call_seconds;
  entrant.contender = std::move(contender);
  return entrant;
}

void Contest::add_reference_if(const std::string& name, std::optional<Contender> contender) {
  if (contender)
    add_reference(name, [&] { return std::move(*contender); });
  else
    references.push_back({.name = name});
}

std::vector<double> Contest::time(const MeasureLimits& limits, std::vector<Timed> others) {
  std::vector<Timed> timed;
  std::vector<Entrant*> entrants;
  for (std::deque<Entrant>* const list : {&own, &references})
    for (Entrant& entrant : *list) {
      if (!entrant.ran()) continue;
      entrants.push_back(&entrant);
      timed.push_back({.name = entrant.name,
                       .run = entrant.contender.run,
                       .settle = entrant.contender.settle,
                       .prepare = entrant.contender.prepare});
    }
  for (Timed& other : others) timed.push_back(std::move(other));
  measure_in_turns(timed, limits);
  clear_progress();
  std::vector<double> medians;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const double seconds = tuning::median(timed[i].seconds);
    if (i < entrants.size())
      entrants[i]->seconds = seconds;
    else
      medians.push_back(seconds);
  }
  return medians;
}

std::vector<std::string> Contest::failures(std::string_view pattern) const {
  std::vector<std::string> messages;
  for (const std::deque<Entrant>* const list : {&own, &references})
    for (const Entrant& entrant : *list)
      if (!entrant.verdict.wrong.empty())
        messages.push_back(fmt::format(fmt::runtime(pattern), entrant.name, entrant.verdict.wrong));
  return messages;
}

std::vector<Choice> choices_of(const std::vector<VariantInfo>& variants) {
  std::vector<Choice> choices;
  for (const VariantInfo& variant : variants) {
    choices.push_back({variant.name, {}});
    for (const Configuration& strategy : variant.strategies) choices.push_back({variant.name, strategy});
  }
  return choices;
}

}  // namespace tilewright::tool
