#include "tuning/report/report_heatmap.hpp"

#include <algorithm>

namespace tilewright::tuning {

Json heatmap_json(const TuneReport& report, const std::vector<std::vector<ReportTrial>>& trials,
                  const std::vector<std::size_t>& shapes, ReportChoices& choices) {
  std::vector<Choice> rows;
  for (const std::size_t shape : shapes)
    for (const Timed* timed : {&report.shapes[shape].tuned.best, &report.shapes[shape].tuned.untuned})
      if (std::find(rows.begin(), rows.end(), timed->choice) == rows.end()) rows.push_back(timed->choice);

  std::vector<Json> list;
  for (const Choice& row : rows) {
    Json cells = Json::array();
    std::vector<double> shares;
    std::size_t wins = 0;
    for (const std::size_t shape : shapes) {
      const Tuned& tuned = report.shapes[shape].tuned;
      const auto tried = std::find_if(trials[shape].begin(), trials[shape].end(),
                                      [&](const ReportTrial& each) { return *each.choice == row; });
      if (tried == trials[shape].end()) {
        cells.push_back(nullptr);  // not tried
      } else if (!tried->timed()) {
        cells.push_back({{"failed", to_string(tried->evaluation->status)}});
      } else {
        const bool won = row == tuned.best.choice;
        if (won) ++wins;
        shares.push_back(tuned.best.seconds / tried->seconds);
        cells.push_back({{"share", whole_percentage(shares.back())},
                         {"speed", quantity(tuned.problem->work().speed(tried->seconds))},
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
  return {{"type", report.shapes[shapes.front()].tuned.problem->element()}, {"shapes", shapes}, {"rows", list}};
}

}  // namespace tilewright::tuning
