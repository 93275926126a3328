#include <CLI/CLI.hpp>
#include <memory>

#include "benchmarks/benchmark.hpp"
#include "commands/commands.hpp"
#include "options/option_values.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct ExplainOptions : BenchmarkOptions {
  std::string shape;
};

int run_explain(const BenchmarkOptions& options) {
  options.algorithm.check_with(options.operation.name);
  if (options.memory > 0 && options.operation.name != "gemm")
    throw UsageError("--memory is for dense products; leave it or --op out");
  if (options.memory > 0 && options.algorithm.is_strassen())
    throw UsageError("--memory does not work with --algorithm strassen; leave one of them out");
  find_benchmark(options.operation.name).explain(options);
  return 0;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("explain", "Show the variant and configuration chosen for a product, and the reason");
  const auto options = std::make_shared<ExplainOptions>();
  command->add_option("--shape", options->shape, "sizes: MxNxK for a product, MxN for a matrix");
  options->product.add_to(*command);
  options->forced.add_to(*command);
  options->operation.add_with_files_to(*command, benchmark_names(true));
  options->algorithm.add_to(*command);
  command
      ->add_option("--memory", options->memory,
                   "device memory in bytes; shows the tiles of `multiply --memory`, and measures the device once")
      ->transform(byte_size());
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example:\n  tilewright explain --shape 4096x512x1024 --trans TN\n"
      "  tilewright explain --shape 65536x65536x65536 --memory 8G\n"
      "  tilewright explain --op spmm A.mtx --columns 32");
  command->callback([&action, options] {
    if (!options->shape.empty()) options->shapes = {options->shape};
    action = [options] { return run_explain(*options); };
  });
}

}  // namespace tilewright::tool
