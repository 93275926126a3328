#include "tuning/report/report_shape.hpp"

#include <algorithm>

#include "tuning/report/html.hpp"
#include "tuning/report/influence.hpp"

namespace tilewright::tuning {
namespace {

// With fewer timings of a variant, its parameters are not analysed.
constexpr std::size_t enough_for_influence = 8;

// Adds spaces, at which a line may be broken; Configuration::parse accepts them.
std::string spaced(const Configuration& configuration) {
  std::string text;
  for (const char c : to_string(configuration)) text += c == ',' ? std::string(", ") : std::string(1, c);
  return text;
}

Json timing_json(const Work& work, double seconds) {
  return {{"time", time_of(seconds)}, {"speed", quantity(work.speed(seconds))}};
}

Json timing_json(const Work& work, const Timed& timed, ReportChoices& choices) {
  if (!(timed.seconds > 0)) return nullptr;
  Json json = timing_json(work, timed.seconds);
  json["choice"] = choices.number_of(timed.choice);
  json["timings"] = timed.timings;
  json["variation"] = timed.timings > 1 ? percentage(timed.variation) : Json();
  return json;
}

Json references_json(const ReportShape& shape) {
  Json list = Json::array();
  for (const ReportReference& reference : shape.references) {
    if (!(reference.seconds > 0) || !(shape.tuned.best.seconds > 0)) continue;
    Json json = timing_json(shape.tuned.problem->work(), reference.seconds);
    json["library"] = readable(reference.library);
    json["ratio"] = gain_of(reference.seconds / shape.tuned.best.seconds);  // above 1: this library is faster
    list.push_back(std::move(json));
  }
  return list;
}

Json trials_json(const Work& work, const std::vector<ReportTrial>& trials, ReportChoices& choices) {
  Json list = Json::array();
  for (const ReportTrial& tried : trials) {
    Json json = tried.timed() ? timing_json(work, tried.seconds) : Json::object();
    json["choice"] = choices.number_of(*tried.choice);
    json["status"] = to_string(tried.evaluation->status);
    json["timings"] = tried.timings;
    list.push_back(std::move(json));
  }
  return list;
}

// Groups equal failures, the most frequent first.
Json failures_json(const std::vector<ReportTrial>& trials, ReportChoices& choices) {
  constexpr std::size_t longest = 600;
  std::vector<Json> list;
  std::map<std::pair<Status, std::string>, std::size_t> places;
  for (const ReportTrial& tried : trials) {
    if (tried.evaluation->timed()) continue;
    const Status status = tried.evaluation->status;
    const std::string message = readable(tried.evaluation->message.substr(0, longest));
    const auto [place, is_new] = places.emplace(std::pair(status, message), list.size());
    if (is_new)
      list.push_back({{"status", to_string(status)},
                      {"count", 0},
                      {"message", message},
                      {"example", choices.number_of(*tried.choice)}});
    Json& count = list[place->second]["count"];
    count = count.get<std::size_t>() + 1;
  }
  std::stable_sort(list.begin(), list.end(), [](const Json& left, const Json& right) {
    return left["count"].get<std::size_t>() > right["count"].get<std::size_t>();
  });
  return list;
}

// Returns the variants and their numbers of timed configurations, in the order of the variants' best times.
std::vector<std::pair<std::string, std::size_t>> timed_variants(const std::vector<ReportTrial>& trials) {
  std::vector<const ReportTrial*> order;
  for (const ReportTrial& tried : trials)
    if (tried.timed()) order.push_back(&tried);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* left, const auto* right) { return left->seconds < right->seconds; });
  std::vector<std::pair<std::string, std::size_t>> result;
  for (const ReportTrial* tried : order) {
    const auto known = std::find_if(result.begin(), result.end(),
                                    [&](const auto& entry) { return entry.first == tried->choice->variant; });
    if (known != result.end())
      ++known->second;
    else
      result.emplace_back(tried->choice->variant, 1);
  }
  return result;
}

Json influence_json(const Work& work, const std::vector<ReportTrial>& trials) {
  Json list = Json::array();
  for (const auto& [variant, count] : timed_variants(trials)) {
    const auto influences = parameter_influence(trials, variant);
    if (count < enough_for_influence || influences.empty()) continue;
    Json parameters = Json::array();
    for (const ParameterInfluence& influence : influences) {
      double best = influence.values.front().best_seconds;
      for (const ValueInfluence& value : influence.values) best = std::min(best, value.best_seconds);
      Json values = Json::array();
      for (const ValueInfluence& value : influence.values)
        values.push_back({{"value", value.value},
                          {"count", value.count},
                          {"best", quantity(work.speed(value.best_seconds))},
                          {"median", quantity(work.speed(value.median_seconds))},
                          {"share", whole_percentage(best / value.best_seconds)}});
      parameters.push_back(
          {{"name", influence.parameter}, {"explained", whole_percentage(influence.explained)}, {"values", values}});
    }
    list.push_back({{"variant", variant}, {"count", count}, {"parameters", parameters}});
  }
  return list;
}

// Notes that a reader of a result needs.
Json notes_json(const Tuned& tuned) {
  Json list = Json::array();
  if (!tuned.untuned_message.empty())
    list.push_back("The untuned configuration failed: " + readable(tuned.untuned_message));
  if (tuned.unverified > 0 && !tuned.out_of_time)
    list.push_back("For lack of time, " + std::to_string(tuned.unverified) +
                   " of the fastest configurations were not verified, and so not used.");
  if (tuned.uncompared > 0)
    list.push_back("For lack of time, " + std::to_string(tuned.uncompared) +
                   " of the winners of other shapes were not timed here.");
  return list;
}

}  // namespace

std::size_t ReportChoices::number_of(const Choice& choice) {
  const auto [place, is_new] = numbers_.emplace(choice.variant + ' ' + to_string(choice.configuration), list_.size());
  if (is_new)
    list_.push_back({{"variant", readable(choice.variant)}, {"configuration", readable(spaced(choice.configuration))}});
  return place->second;
}

Json shape_json(const ReportShape& shape, const std::vector<ReportTrial>& trials, ReportChoices& choices) {
  const Tuned& tuned = shape.tuned;
  const Work work = tuned.problem->work();
  Json outcomes = Json::object();
  std::size_t failed = 0;
  for (const Status status : all_statuses) {
    const auto count = static_cast<std::size_t>(std::count_if(
        trials.begin(), trials.end(), [&](const ReportTrial& tried) { return tried.evaluation->status == status; }));
    if (count > 0) outcomes[std::string(to_string(status))] = count;
    if (status != Status::ok && status != Status::slow) failed += count;
  }
  const bool result = has_result(tuned);
  std::string message = readable(tuned.problem_message);
  if (!result && message.empty()) message = "the run ended before there was a result";
  return {{"name", tuned.problem->label()},
          {"type", tuned.problem->element()},
          {"intensity", work.operations > 0 ? quantity(work.intensity()) : Json()},
          {"message", result ? "" : message},
          {"notes", notes_json(tuned)},
          {"untuned", timing_json(work, tuned.untuned, choices)},
          {"tuned", timing_json(work, tuned.best, choices)},
          {"gain", result ? gain_of(tuned.speedup()) : Json()},
          {"references", references_json(shape)},
          {"tried", trials.size()},
          {"failed", failed},
          {"outcomes", outcomes},
          {"trials", trials_json(work, trials, choices)},
          {"failures", failures_json(trials, choices)},
          {"influence", influence_json(work, trials)}};
}

}  // namespace tilewright::tuning
