#include "tuning/report/report_json.hpp"

#include <algorithm>
#include <map>

#include "tilewright/records.hpp"
#include "tuning/measure/median.hpp"
#include "tuning/report/html.hpp"
#include "tuning/report/report_heatmap.hpp"
#include "tuning/report/report_quantities.hpp"
#include "tuning/report/report_shape.hpp"

namespace tilewright::tuning {
namespace {

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string number_of(std::size_t shape) { return "shape " + std::to_string(shape + 1); }

std::vector<std::size_t> with_results(const TuneReport& report) {
  std::vector<std::size_t> shapes;
  for (std::size_t i = 0; i < report.shapes.size(); ++i)
    if (has_result(report.shapes[i].tuned)) shapes.push_back(i);
  return shapes;
}

Json gain_json(const TuneReport& report, const std::vector<std::size_t>& shapes) {
  if (shapes.empty()) return nullptr;
  std::vector<double> gains;
  for (const std::size_t i : shapes) gains.push_back(report.shapes[i].tuned.speedup());
  const auto best = std::max_element(gains.begin(), gains.end());
  return {{"mean", gain_of(geometric_mean(gains))},
          {"shapes", shapes.size()},
          {"faster", std::count_if(gains.begin(), gains.end(), [](double gain) { return gain > 1; })},
          {"best", gain_of(*best)},
          {"best_shape", shapes[static_cast<std::size_t>(best - gains.begin())]}};
}

Json noise_json(const TuneReport& report, const std::vector<std::size_t>& shapes) {
  std::vector<double> variations;
  std::size_t worst = 0;
  double most = -1;
  Json noisy_shapes = Json::array();
  for (const std::size_t i : shapes) {
    const Tuned& tuned = report.shapes[i].tuned;
    if (tuned.best.timings < 2) continue;
    variations.push_back(tuned.best.variation);
    if (tuned.best.variation > most) most = tuned.best.variation, worst = i;
    if (std::max(tuned.best.variation, tuned.untuned.variation) > noisy_variation) noisy_shapes.push_back(i);
  }
  if (variations.empty()) return nullptr;
  return {{"median", percentage(median(variations))},
          {"most", percentage(most)},
          {"max_shape", worst},
          {"noisy_shapes", noisy_shapes}};
}

Json libraries_json(const TuneReport& report, const std::vector<std::size_t>& shapes) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> ratios;
  for (const std::size_t i : shapes)
    for (const ReportReference& reference : report.shapes[i].references) {
      if (!(reference.seconds > 0)) continue;
      if (!ratios.contains(reference.library)) names.push_back(reference.library);
      ratios[reference.library].push_back(reference.seconds / report.shapes[i].tuned.best.seconds);
    }
  Json list = Json::array();
  for (const std::string& name : names)
    list.push_back({{"name", readable(name)},
                    {"ratio", gain_of(geometric_mean(ratios.at(name)))},
                    {"shapes", ratios.at(name).size()}});
  return list;
}

// Lists only types that ran: a peak without any point shows nothing.
Json roofs_json(const TuneReport& report, const std::vector<std::size_t>& shapes) {
  Json list = Json::array();
  for (const ReportRoof& roof : report.roofs) {
    const bool ran = std::any_of(shapes.begin(), shapes.end(), [&](std::size_t i) {
      return report.shapes[i].tuned.problem->arithmetic() == roof.type;
    });
    if (ran && roof.gflops > 0) list.push_back({{"type", to_string(roof.type)}, {"peak", quantity(roof.gflops)}});
  }
  return list;
}

Json heatmaps_json(const TuneReport& report, const std::vector<std::vector<ReportTrial>>& trials,
                   const std::vector<std::size_t>& shapes, ReportChoices& choices) {
  std::map<std::string, std::vector<std::size_t>> by_element;
  for (const std::size_t i : shapes) by_element[report.shapes[i].tuned.problem->element()].push_back(i);
  Json list = Json::array();
  for (const auto& [element, alike] : by_element)
    if (alike.size() > 1) list.push_back(heatmap_json(report, trials, alike, choices));
  return list;
}

// The tiles at the top of the page.
Json headline_json(const Json& data, const TuneReport& report) {
  Json list = Json::array();
  const auto add = [&](const std::string& label, const Json& value, const std::string& note) {
    list.push_back({{"label", label}, {"value", value}, {"note", note}});
  };
  if (const Json& gain = data["gain"]; !gain.is_null()) {
    const auto shapes = gain["shapes"].get<std::size_t>();
    add("as fast as untuned", gain["mean"]["text"],
        shapes == 1 ? "one shape" : "geometric mean over " + plural(shapes, "shape"));
    if (shapes > 1) {
      if (gain["faster"].get<std::size_t>() > 0)
        add("best gain", gain["best"]["text"], number_of(gain["best_shape"].get<std::size_t>()));
      add("shapes faster", std::to_string(gain["faster"].get<std::size_t>()) + " of " + std::to_string(shapes),
          "the others keep the untuned configuration");
    }
  }
  for (const Json& library : data["libraries"])
    add("as fast as " + library["name"].get<std::string>(), library["ratio"]["text"],
        "geometric mean over " + plural(library["shapes"].get<std::size_t>(), "shape"));
  add("configurations tried", std::to_string(data["tried"].get<std::size_t>()),
      std::to_string(data["failed"].get<std::size_t>()) + " failed");
  if (const Json& noise = data["noise"]; !noise.is_null())
    add("noise", noise["median"]["text"],
        "median variation; at most " + noise["most"]["text"].get<std::string>() + ", " +
            number_of(noise["max_shape"].get<std::size_t>()));
  if (!report.budget.empty())
    add("budget", readable(report.budget), readable(report.strategy) + " search, seed " + std::to_string(report.seed));
  return list;
}

Json warnings_json(const Json& data, const TuneReport& report) {
  Json list = Json::array();
  if (report.shapes.empty()) list.push_back("No shape was tuned.");
  const auto warn = [&](const std::vector<std::size_t>& shapes, const std::string& what) {
    std::string names;
    for (const std::size_t shape : shapes) names += (names.empty() ? "" : ", ") + std::to_string(shape + 1);
    if (!shapes.empty()) list.push_back(what + (shapes.size() == 1 ? ": shape " : ": shapes ") + names + ".");
  };
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < report.shapes.size(); ++i)
    if (!has_result(report.shapes[i].tuned) && !report.shapes[i].tuned.out_of_time) missing.push_back(i);
  warn(missing, "Without a result");
  const auto warn_where = [&](const std::string& what, const auto& holds) {
    std::vector<std::size_t> shapes;
    for (std::size_t i = 0; i < report.shapes.size(); ++i)
      if (holds(report.shapes[i].tuned)) shapes.push_back(i);
    warn(shapes, what);
  };
  warn_where("Not tuned for lack of time", [](const Tuned& tuned) { return tuned.out_of_time; });
  warn_where("The untuned configuration failed", [](const Tuned& tuned) { return !tuned.untuned_message.empty(); });
  warn_where("Some of the fastest configurations were not verified for lack of time, and so not used",
             [](const Tuned& tuned) { return !tuned.out_of_time && tuned.unverified > 0; });
  warn_where("Some winners of other shapes were not timed for lack of time",
             [](const Tuned& tuned) { return tuned.uncompared > 0; });
  if (!data["noise"].is_null())
    warn(data["noise"]["noisy_shapes"].get<std::vector<std::size_t>>(),
         "Timings, tuned or untuned, vary by more than " + fixed_number(100 * noisy_variation, 0) +
             " %, so small gains are not significant");
  return list;
}

}  // namespace

Json report_json(const TuneReport& report) {
  const std::vector<std::size_t> shapes = with_results(report);
  std::vector<std::vector<ReportTrial>> trials;
  for (const ReportShape& shape : report.shapes) trials.push_back(report_trials(shape.tuned));

  Json data{{"device", readable(report.device)},
            {"platform", readable(report.platform)},
            {"driver", readable(report.driver)},
            {"version", readable(report.library_version)},
            {"date", readable(report.date)},
            {"unit", report.shapes.empty() ? "GFLOP/s" : report.shapes.front().tuned.problem->work().unit()},
            {"gain", gain_json(report, shapes)},
            {"noise", noise_json(report, shapes)},
            {"libraries", libraries_json(report, shapes)},
            {"roofs", roofs_json(report, shapes)},
            {"bandwidth", report.bandwidth_gbytes > 0 ? quantity(report.bandwidth_gbytes) : Json()}};
  ReportChoices choices;
  std::size_t tried = 0, failed = 0;
  data["shapes"] = Json::array();
  for (std::size_t i = 0; i < report.shapes.size(); ++i) {
    data["shapes"].push_back(shape_json(report.shapes[i], trials[i], choices));
    tried += data["shapes"].back()["tried"].get<std::size_t>();
    failed += data["shapes"].back()["failed"].get<std::size_t>();
  }
  data["heatmaps"] = heatmaps_json(report, trials, shapes, choices);
  data["choices"] = choices.list();
  data["tried"] = tried;
  data["failed"] = failed;
  data["headline"] = headline_json(data, report);
  data["warnings"] = warnings_json(data, report);
  return data;
}

std::string embeddable(const Json& json) {
  std::string result;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  return result;
}

}  // namespace tilewright::tuning
