#include "benchmarks/explanation.hpp"

#include <fmt/format.h>

#include "text/page.hpp"
#include "text/table.hpp"

namespace tilewright::tool {
namespace {

Json to_json(const Device& device, const Json& fields, const Explanation& explanation) {
  Json json = fields;
  json["variant"] = explanation.variant;
  json["configuration"] = tilewright::to_string(explanation.configuration);
  json["reason"] = explanation.reason;
  json["candidates"] = Json::array();
  for (const Candidate& candidate : explanation.candidates) {
    json["candidates"].push_back({{"variant", candidate.variant},
                                  {"supported", candidate.supported},
                                  {"configuration", tilewright::to_string(candidate.configuration)},
                                  {"reason", candidate.reason}});
  }
  add_device(json, device);
  return json;
}

}  // namespace

void show_explanation(const Device& device, const std::string& kind, const std::string& problem, const Json& fields,
                      const Explanation& explanation, bool json) {
  if (json) return print_json(to_json(device, fields, explanation));
  const Page& page = output_page();
  fmt::print("{}", format_field("device", device.index() + "  " + device.profile.name, page));
  fmt::print("{}", format_field(kind, problem, page));
  fmt::print("{}", format_field("variant", explanation.variant, page, Style::good));
  fmt::print("{}", format_field("configuration", tilewright::to_string(explanation.configuration), page));
  fmt::print("{}\n", format_field("reason", explanation.reason, page));

  Table table({{"variant"}, {"supported"}, {"configuration", false, true}, {"reason", false, true}});
  for (const Candidate& candidate : explanation.candidates) {
    table.add_row({{candidate.variant, candidate.supported ? Style::plain : Style::faint},
                   candidate.supported ? "yes" : "no",
                   tilewright::to_string(candidate.configuration),
                   candidate.reason},
                  candidate.variant == explanation.variant);
  }
  fmt::print("{}", table.to_string(page));
}

}  // namespace tilewright::tool
