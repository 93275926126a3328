#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "format.hpp"
#include "product_options.hpp"
#include "shape.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {
namespace {

struct Options {
  ProductOptions product;
  ChoiceOptions forced;
  std::string shape;
};

int run(const Options& options) {
  const GemmProblem problem = options.product.problem(options.shape);
  const Device device = pick_device(options.product.device);
  const GemmExplanation explanation = explain_gemm(device.profile, problem, options.forced.choice());

  fmt::print("device         {}  {}\n", device.index(), device.profile.name);
  fmt::print("product        {}\n", to_string(problem));
  fmt::print("variant        {}\n", explanation.variant);
  fmt::print("configuration  {}\n", tilewright::to_string(explanation.configuration));
  fmt::print("reason         {}\n\n", explanation.reason);

  Table table({{"variant"}, {"runs here"}, {"configuration"}, {"reason"}});
  for (const GemmCandidate& candidate : explanation.candidates) {
    table.add_row({candidate.variant, candidate.supported ? "yes" : "no",
                   tilewright::to_string(candidate.configuration), candidate.reason});
  }
  fmt::print("{}", table.to_string());
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
  command->footer("Example:\n  tilewright explain --shape 4096x512x1024 --trans TN");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
