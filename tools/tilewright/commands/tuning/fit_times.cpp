// Fits the model of time to a file of timings. Needs no device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "options/option_values.hpp"
#include "runtime/system/text_file.hpp"
#include "text/json_output.hpp"
#include "text/text.hpp"
#include "tune/times.hpp"
#include "tuning/operations/gemm_timings_file.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

using namespace tuning;

struct FitOptions {
  std::string file;
  std::vector<std::string> only;
  double disturbance = 1;
  bool json = false;
};

Timings timings_in(const std::string& file) {
  const auto text = detail::read_text(file);
  if (!text) throw std::runtime_error("there is no file " + file);
  try {
    return timings_of(*text);
  } catch (const std::exception& problem) {
    throw std::runtime_error(fmt::format("{} is no file of timings: {}", file, problem.what()));
  }
}

// The library's constants, multiplied and divided by a factor in turn.
detail::WaveConstants disturbed(double factor) {
  detail::WaveConstants constants;
  bool up = false;
  for_each_constant(constants, [&](const std::string&, double& constant) {
    up = !up;
    constant *= up ? factor : 1 / factor;
  });
  return constants;
}

void check_only(const std::vector<std::string>& starts) {
  for (const std::string& start : starts) {
    bool is_known = false;
    detail::WaveConstants constants;
    for_each_constant(constants, [&](const std::string& name, double) { is_known |= name.starts_with(start); });
    if (!is_known)
      throw UsageError(
          fmt::format("--only: no constant begins with {}; expected a name such as tensor.copying, or its beginning",
                      in_quotes(start)));
  }
}

int run(const FitOptions& options) {
  check_only(options.only);
  Timings timings = timings_in(options.file);
  timings.device.wave_constants = std::make_shared<detail::WaveConstants>(disturbed(options.disturbance));
  const auto is_fitted = [&](const std::string& name) {
    const auto begins = [&](const std::string& start) { return name.starts_with(start); };
    return options.only.empty() || std::any_of(options.only.begin(), options.only.end(), begins);
  };
  const TimeFit fit = fit_times(timings.products, timings.device, is_fitted);
  Json constants = Json::object();
  for_each_constant(fit.constants, [&](const std::string& name, double constant) { constants[name] = constant; });
  if (options.json) {
    const auto errors = [](const TimeErrors& e) { return Json{{"spread", e.spread}, {"regret", e.regret}}; };
    print_json({{"device", timings.device.name},
                {"timings", fit.timings},
                {"fitted_products", fit.fitted_products},
                {"held_out_products", fit.held_out_products},
                {"before", errors(fit.before)},
                {"after", errors(fit.after)},
                {"constants", constants}});
    return 0;
  }
  fmt::print("{}\n{}\n", timings.device.name, summary_of(fit));
  for (const auto& [name, constant] : constants.items()) fmt::print("{:28}{:.6g}\n", name, constant.get<double>());
  return 0;
}

}  // namespace

void add_fit_times_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "fit-times", "Fit the model of time of products to a file of timings, which `tune --timings` writes");
  const auto options = std::make_shared<FitOptions>();
  command->add_option("file", options->file, "file of timings")->required();
  command
      ->add_option("--disturb", options->disturbance,
                   "multiply and divide the library's constants by this factor in turn before the fit, to see whether "
                   "the timings determine them")
      ->check(positive_number(100));
  command
      ->add_option("--only", options->only,
                   "fit only constants whose names begin with one of these, comma-separated, for example "
                   "tensor.copying,warps; the others stay as they are")
      ->delimiter(',');
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "The fit sees a random half of the products and is judged by the others.\nExample:\n"
      "  tilewright tune --shapes shapes.csv --timings timings.jsonl\n  tilewright fit-times timings.jsonl");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
