#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "json_output.hpp"
#include "product_options.hpp"
#include "shape.hpp"
#include "table.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {
namespace {

struct Options {
  ProductOptions product;
  ChoiceOptions forced;
  std::string shape;
  bool json = false;
};

Json to_json(const Device& device, const GemmProblem& problem, const GemmExplanation& explanation) {
  Json json = {{"m", problem.m},
               {"n", problem.n},
               {"k", problem.k},
               {"batch", problem.batch.count},
               {"type", tilewright::to_string(problem.type)},
               {"trans", transposes_of(problem)},
               {"variant", explanation.variant},
               {"configuration", tilewright::to_string(explanation.configuration)},
               {"reason", explanation.reason},
               {"candidates", Json::array()}};
  for (const GemmCandidate& candidate : explanation.candidates) {
    json["candidates"].push_back({{"variant", candidate.variant},
                                  {"supported", candidate.supported},
                                  {"configuration", tilewright::to_string(candidate.configuration)},
                                  {"reason", candidate.reason}});
  }
  add_device(json, device);
  return json;
}

void print_text(const Device& device, const GemmProblem& problem, const GemmExplanation& explanation) {
  const Page& page = output_page();
  fmt::print("{}", format_field("device", device.index() + "  " + device.profile.name, page));
  fmt::print("{}", format_field("product", to_string(problem), page));
  fmt::print("{}", format_field("variant", explanation.variant, page, Style::good));
  fmt::print("{}", format_field("configuration", tilewright::to_string(explanation.configuration), page));
  fmt::print("{}\n", format_field("reason", explanation.reason, page));

  Table table({{"variant"}, {"runs here"}, {"configuration", false, true}, {"reason", false, true}});
  for (const GemmCandidate& candidate : explanation.candidates) {
    table.add_row({{candidate.variant, candidate.supported ? Style::plain : Style::faint},
                   candidate.supported ? "yes" : "no",
                   tilewright::to_string(candidate.configuration),
                   candidate.reason},
                  candidate.variant == explanation.variant);
  }
  fmt::print("{}", table.to_string(page));
}

int run(const Options& options) {
  const GemmProblem problem = options.product.problem(options.shape);
  const GemmChoice forced = options.forced.choice();
  const Device device = pick_device(options.product.device);
  const GemmExplanation explanation = explain_gemm(device.profile, problem, forced);
  if (options.json) {
    print_json(to_json(device, problem, explanation));
  } else {
    print_text(device, problem, explanation);
  }
  return 0;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("explain", "Tell which variant and configuration a product would get, and why");
  const auto options = std::make_shared<Options>();
  command->add_option("--shape", options->shape, "sizes of the product, MxNxK")->required();
  options->product.add_to(*command);
  options->forced.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object");
  command->footer("Example:\n  tilewright explain --shape 4096x512x1024 --trans TN");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
