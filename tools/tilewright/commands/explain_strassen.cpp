#include "commands/explain_strassen.hpp"

#include <fmt/format.h>

#include "text/format.hpp"
#include "text/page.hpp"
#include "text/table.hpp"

namespace tilewright::tool {

Json strassen_json(const Device& device, const Json& problem, const StrassenExplanation& explanation) {
  Json json = problem;
  json["algorithm"] = "strassen";
  json["levels"] = explanation.levels;
  json["reason"] = explanation.reason;
  json["candidates"] = Json::array();
  for (const StrassenLevel& level : explanation.candidates)
    json["candidates"].push_back({{"levels", level.levels},
                                  {"seconds", level.seconds > 0 ? Json(level.seconds) : Json()},
                                  {"workspace_bytes", level.workspace_bytes},
                                  {"error_factor", level.error_factor},
                                  {"why_not", level.why_not}});
  add_device(json, device);
  return json;
}

void print_strassen(const Device& device, const std::string& problem, const StrassenExplanation& explanation) {
  const Page& page = output_page();
  fmt::print("{}", format_field("device", device.index() + "  " + device.profile.name, page));
  fmt::print("{}", format_field("product", problem, page));
  fmt::print("{}", format_field("levels", std::to_string(explanation.levels), page, Style::good));
  fmt::print("{}\n", format_field("reason", explanation.reason, page));
  Table table(
      {{"levels", true}, {"expected", true}, {"workspace", true}, {"error factor", true}, {"why not", false, true}});
  for (const StrassenLevel& level : explanation.candidates)
    table.add_row({std::to_string(level.levels), level.seconds > 0 ? format_seconds(level.seconds) : "unknown",
                   format_bytes(level.workspace_bytes), format_number(level.error_factor), level.why_not},
                  level.levels == explanation.levels);
  fmt::print("{}", table.to_string(page));
}

}  // namespace tilewright::tool
