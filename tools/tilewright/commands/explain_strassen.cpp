#include "commands/explain_strassen.hpp"

#include <fmt/format.h>

#include "text/format.hpp"
#include "text/page.hpp"
#include "text/table.hpp"

namespace tilewright::tool {

Json strassen_json(const Device& device, const Json& product, const StrassenProblem& problem, const Choice& choice) {
  const Explanation explanation = explain_strassen(device.profile, problem, choice);
  Json json = product;
  json["algorithm"] = "strassen";
  json["levels"] = explanation.configuration["levels"];
  json["reason"] = explanation.reason;
  json["candidates"] = Json::array();
  for (const StrassenLevel& level : strassen_levels(device.profile, problem, choice))
    json["candidates"].push_back({{"levels", level.levels},
                                  {"seconds", level.seconds > 0 ? Json(level.seconds) : Json()},
                                  {"workspace_bytes", level.workspace_bytes},
                                  {"error_factor", level.error_factor},
                                  {"why_not", level.why_not}});
  json["products"] = Json::array();
  for (const Explanation& part : explanation.parts)
    json["products"].push_back({{"problem", part.problem},
                                {"variant", part.variant},
                                {"configuration", tilewright::to_string(part.configuration)},
                                {"reason", part.reason}});
  add_device(json, device);
  return json;
}

void print_strassen(const Device& device, const std::string& product, const StrassenProblem& problem,
                    const Choice& choice) {
  const Explanation explanation = explain_strassen(device.profile, problem, choice);
  const std::int64_t levels = explanation.configuration["levels"];
  const Page& page = output_page();
  fmt::print("{}", format_field("device", device.index() + "  " + device.profile.name, page));
  fmt::print("{}", format_field("product", product, page));
  fmt::print("{}", format_field("levels", std::to_string(levels), page, Style::good));
  fmt::print("{}\n", format_field("reason", explanation.reason, page));
  Table table(
      {{"levels", true}, {"expected", true}, {"workspace", true}, {"error factor", true}, {"why not", false, true}});
  for (const StrassenLevel& level : strassen_levels(device.profile, problem, choice))
    table.add_row({std::to_string(level.levels), level.seconds > 0 ? format_seconds(level.seconds) : "unknown",
                   format_bytes(level.workspace_bytes), format_number(level.error_factor), level.why_not},
                  level.levels == levels);
  fmt::print("{}\n", table.to_string(page));
  Table products({{"small product"}, {"variant"}, {"configuration", false, true}});
  for (const Explanation& part : explanation.parts)
    products.add_row({part.problem, part.variant, tilewright::to_string(part.configuration)});
  fmt::print("{}", products.to_string(page));
}

}  // namespace tilewright::tool
