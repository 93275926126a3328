#include "product_options.hpp"

#include "shape.hpp"

namespace tilewright::tool {

void ProductOptions::add_to(CLI::App& command) {
  command.add_option("--type", type, "element type: f32 or f64")->capture_default_str();
  command.add_option("--trans", transposes, "transposes of A and B: NN, NT, TN or TT")->capture_default_str();
  command.add_option("--batch", batch, "products in one call, their matrices one behind the other")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_device_option(command, device);
}

GemmProblem ProductOptions::problem() const {
  GemmProblem problem;
  problem.type = parse_type(type);
  parse_transposes(transposes, problem);
  problem.batch.count = batch;
  return problem;
}

GemmProblem ProductOptions::problem(std::string_view shape) const {
  const GemmProblem sizes = parse_shape(shape);
  GemmProblem problem = this->problem();
  problem.m = sizes.m;
  problem.n = sizes.n;
  problem.k = sizes.k;
  set_batch(problem, batch);
  return problem;
}

void ChoiceOptions::add_to(CLI::App& command) {
  command.add_option("--variant", variant, "force a variant, for example register_blocked");
  command.add_option("--configuration", configuration,
                     "force values of the variant's parameters, for example tile_m=64,tile_n=32");
}

GemmChoice ChoiceOptions::choice() const { return {variant, Configuration::parse(configuration)}; }

void add_device_option(CLI::App& command, std::string& device) {
  command.add_option("--device", device,
                     "\"platform:device\" as `tilewright devices` lists them, or a part of a device's or platform's "
                     "name; without it TILEWRIGHT_DEVICE, then the best device");
}

void add_against_option(CLI::App& command, std::vector<std::string>& references) {
  command.add_option("--against", references, "libraries to compare with in the same run: clblast, openblas")
      ->delimiter(',');
}

}  // namespace tilewright::tool
