#include "benchmarks/rows.hpp"

#include <fmt/format.h>

namespace tilewright::tool {

void add_reference_columns(std::vector<Column>& columns, const std::vector<std::string>& libraries) {
  for (const std::string& name : libraries) columns.push_back({"x " + name, true, false, 10});
}

void add_ratio(std::vector<Cell>& row, const Entrant& entrant, double seconds) {
  const double ratio = seconds / entrant.seconds;
  if (seconds > 0)
    row.emplace_back(fmt::format("{:.2f}", ratio), ratio >= 1 ? Style::good : Style::plain);
  else
    row.emplace_back("-");
}

void add_ratios(std::vector<Cell>& row, const Entrant& entrant, const std::deque<Entrant>& references) {
  for (const Entrant& reference : references) add_ratio(row, entrant, reference.seconds);
}

Cell verified_cell(const Entrant& entrant) { return entrant.verified() ? Cell("yes") : Cell("NO", Style::bad); }

Json against_json(const Entrant& entrant, const std::deque<Entrant>& references) {
  Json against = Json::object();
  for (const Entrant& reference : references)
    if (reference.measured())
      against[reference.name] = {{"seconds", reference.seconds},
                                 {"ratio", if_measured(entrant, reference.seconds / entrant.seconds)}};
  return against;
}

Json if_measured(const Entrant& entrant, double number) { return entrant.measured() ? Json(number) : Json(); }

}  // namespace tilewright::tool
