#include "tuning/report_heatmap.hpp"

#include <algorithm>

namespace tilewright::tuning {

Json heatmap_json(const TuneReport& report, const std::vector<std::vector<ReportTrial>>& trials,
                  const std::vector<std::size_t>& shapes, ReportChoices& choices) {
  std::vector<Trial> rows;
  for (const std::size_t shape : shapes)
    for (const Timed* timed : {&report.shapes[shape].tuned.best, &report.shapes[shape].tuned.untuned})
      if (std::none_of(rows.begin(), rows.end(), [&](const Trial& row) { return same_way(row, timed->trial); }))
        rows.push_back(timed->trial);

  std::vector<Json> list;
  for (const Trial& row : rows) {
    Json cells = Json::array();
    std::vector<double> shares;
    std::size_t wins = 0;
    for (const std::size_t shape : shapes) {
      const Tuned& tuned = report.shapes[shape].tuned;
      const auto tried = std::find_if(trials[shape].begin(), trials[shape].end(),
                                      [&](const ReportTrial& each) { return same_way(*each.trial, row); });
      if (tried == trials[shape].end()) {
        cells.push_back(nullptr);  // not tried
      } else if (!tried->timed()) {
        cells.push_back({{"failed", to_string(tried->evaluation->status)}});
      } else {
        const bool won = same_way(row, tuned.best.trial);
        if (won) ++wins;
        shares.push_back(tuned.best.seconds / tried->seconds);
        cells.push_back({{"share", whole_percentage(shares.back())},
                         {"speed", quantity(gflops(tuned.problem, tried->seconds))},
                         {"won", won}});
      }
    }
    if (shares.empty()) continue;
    list.push_back({{"choice", choices.number_of(row)},
                    {"wins", wins},
                    {"measured", shares.size()},
                    {"typical", whole_percentage(geometric_mean(shares))},
                    {"worst", whole_percentage(*std::min_element(shares.begin(), shares.end()))},
                    {"cells", cells}});
  }
  std::stable_sort(list.begin(), list.end(), [](const Json& left, const Json& right) {
    if (left["measured"] != right["measured"]) return left["measured"] > right["measured"];
    return left["typical"]["value"].get<double>() > right["typical"]["value"].get<double>();
  });
  return {{"type", to_string(report.shapes[shapes.front()].tuned.problem.type)}, {"shapes", shapes}, {"rows", list}};
}

}  // namespace tilewright::tuning
