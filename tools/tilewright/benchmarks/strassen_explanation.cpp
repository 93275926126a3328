#include <fmt/format.h>

#include "benchmarks/gemm.hpp"
#include "text/format.hpp"
#include "text/page.hpp"

namespace tilewright::tool {
namespace {

Json strassen_json(const Device& device, const Json& fields, const Explanation& explanation,
                   const std::vector<StrassenLevel>& candidates) {
  Json json = fields;
  json["algorithm"] = "strassen";
  json["levels"] = explanation.configuration["levels"];
  json["reason"] = explanation.reason;
  json["candidates"] = Json::array();
  for (const StrassenLevel& level : candidates)
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

}  // namespace

void explain_strassen_choice(const Device& device, const std::string& product, const Json& fields,
                             const StrassenProblem& problem, const Choice& choice, bool json) {
  const Explanation explanation = explain_strassen(device.profile, problem, choice);
  const std::vector<StrassenLevel> candidates = strassen_levels(device.profile, problem, choice);
  if (json) return print_json(strassen_json(device, fields, explanation, candidates));
  const std::int64_t levels = explanation.configuration["levels"];
  const Page& page = output_page();
  fmt::print("{}", format_field("device", device.index() + "  " + device.profile.name, page));
  fmt::print("{}", format_field("product", product, page));
  fmt::print("{}", format_field("levels", std::to_string(levels), page, Style::good));
  fmt::print("{}\n", format_field("reason", explanation.reason, page));
  Table table(
      {{"levels", true}, {"expected", true}, {"workspace", true}, {"error factor", true}, {"why not", false, true}});
  for (const StrassenLevel& level : candidates)
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
