#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.hpp"
#include "commands/systems/linear_system.hpp"
#include "files/matrix_file.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"

namespace tilewright::tool {

void add_inverse_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("inverse", "Invert a square matrix and verify the result");
  const auto options = std::make_shared<LinearSystemOptions>();
  command->add_option("A", options->a, std::string("square matrix: ") + dense_files_help)->required();
  options->output.add_to(*command);
  command
      ->add_option("--type", options->type,
                   "arithmetic: f32 or f64; default: f64 if the file has f64 or i32 elements, otherwise f32")
      ->check(one_of("type", {"f32", "f64"}));
  add_device_option(*command, options->device);
  command->footer("Example:\n  tilewright inverse A.npy -o B.npy");
  command->callback([&action, options] { action = [options] { return solve_linear_system(*options); }; });
}

}  // namespace tilewright::tool
