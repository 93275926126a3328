#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.hpp"
#include "commands/systems/linear_system.hpp"
#include "files/matrix_file.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"

namespace tilewright::tool {

void add_solve_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand("solve", "Solve the linear system op(A) X = B and verify the result");
  const auto options = std::make_shared<LinearSystemOptions>();
  command->add_option("A", options->a, std::string("square matrix: ") + dense_files_help)->required();
  command->add_option("B", options->b, std::string("right-hand sides, one per column: ") + dense_files_help)
      ->required();
  options->output.add_to(*command);
  CLI::Option* const trans = command->add_flag("--trans", options->trans, "solve A^T X = B");
  CLI::Option* const mixed =
      command
          ->add_flag("--mixed", options->mixed,
                     "factor A in f32 and refine X in f64; solves in f64 if that does not converge")
          ->excludes(trans);
  command
      ->add_flag("--spd", options->spd,
                 "A is symmetric positive definite: Cholesky's factorisation, with half of the operations")
      ->excludes(trans)
      ->excludes(mixed);
  command
      ->add_option("--type", options->type,
                   "arithmetic: f32 or f64; default: f64 if a file has f64 or i32 elements, otherwise f32")
      ->check(one_of("type", {"f32", "f64"}));
  add_device_option(*command, options->device);
  command->footer("Example:\n  tilewright solve A.npy B.npy -o X.npy\n  tilewright solve A.npy B.npy -o X.npy --spd");
  command->callback([&action, options] { action = [options] { return solve_linear_system(*options); }; });
}

}  // namespace tilewright::tool
