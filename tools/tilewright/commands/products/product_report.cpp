#include "commands/products/product_report.hpp"

#include <fmt/format.h>

#include "kernels/element_type.hpp"
#include "options/product_options.hpp"
#include "options/shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/table.hpp"

namespace tilewright::tool {
namespace {

double gflops_of(const ProductOutcome& outcome) {
  return outcome.work * flops_of(outcome.problem) / outcome.seconds * 1e-9;
}

std::string to_text(const ProductOutcome& outcome, const Device& device, const MultiplyOptions& options) {
  const bool right = outcome.comparison.passed();
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value, Style style = Style::plain) {
    text += format_field(name, value, options.output.page(), style);
  };
  add("device", device.index() + "  " + device.profile.name);
  add("product", to_string(outcome.problem));
  if (!outcome.structure.empty()) add("A", outcome.structure);
  add("variant", outcome.variant);
  add("configuration", outcome.configuration);
  add("compile time", format_seconds(outcome.compile_seconds));
  add("first result", format_seconds(outcome.first_result_seconds) + "  including compilation and copies");
  add("time", fmt::format("{}  {} GFLOP/s", format_seconds(outcome.seconds), format_number(gflops_of(outcome))));
  add("error/bound", format_number(outcome.comparison.error_over_bound) + (right ? "  verified" : "  WRONG"),
      right ? Style::good : Style::bad);
  if (right) add("output", fmt::format("{}  {} x {}", options.output.path, outcome.problem.m, outcome.problem.n));
  return text;
}

Json to_json(const ProductOutcome& outcome, const Device& device, const MultiplyOptions& options) {
  const bool right = outcome.comparison.passed();
  Json json = {{"m", outcome.problem.m},
               {"n", outcome.problem.n},
               {"k", outcome.problem.k},
               {"type", tilewright::to_string(outcome.problem.type)},
               {"trans", transposes_of(outcome.problem)},
               {"alpha", scalar_json(options.alpha)},
               {"beta", scalar_json(options.beta)},
               {"variant", outcome.variant},
               {"configuration", outcome.configuration},
               {"seconds", outcome.seconds},
               {"gflops", gflops_of(outcome)},
               {"compile_seconds", outcome.compile_seconds},
               {"first_result_seconds", outcome.first_result_seconds},
               {"error_over_bound", outcome.comparison.error_over_bound},
               {"verified", right},
               {"output", right ? Json(options.output.path) : Json()}};
  if (!outcome.structure.empty()) json["structure"] = outcome.structure;
  if (const std::string epilogue = epilogue_of(outcome.problem); !epilogue.empty()) json["epilogue"] = epilogue;
  if (const DataType type_c = detail::type_of_c(outcome.problem); type_c != outcome.problem.type)
    json["type_c"] = tilewright::to_string(type_c);
  if (outcome.problem.accuracy != Accuracy::full) json["accuracy"] = tilewright::to_string(outcome.problem.accuracy);
  add_device(json, device);
  return json;
}

}  // namespace

void report(const ProductOutcome& outcome, const Device& device, const MultiplyOptions& options) {
  options.output.print(options.output.json ? json_line(to_json(outcome, device, options))
                                           : to_text(outcome, device, options));
}

}  // namespace tilewright::tool
