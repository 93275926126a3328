#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "algorithm_options.hpp"
#include "commands/commands.hpp"
#include "commands/explain_strassen.hpp"
#include "commands/explanation.hpp"
#include "commands/operation_commands.hpp"
#include "commands/schedule_output.hpp"
#include "commands/sparse_commands.hpp"
#include "gemm/problem.hpp"
#include "option_values.hpp"
#include "product_options.hpp"
#include "session.hpp"
#include "shape.hpp"
#include "text/json_output.hpp"
#include "text/table.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/out_of_core.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct Options {
  ProductOptions product;
  ChoiceOptions forced;
  OperationOptions operation;
  AlgorithmOptions algorithm;
  std::string shape;
  std::uint64_t memory = 0;  ///< in bytes; 0: the matrices are in device memory
  bool json = false;
};

Json fields_of(const GemmProblem& problem) {
  Json fields = {{"m", problem.m},
                 {"n", problem.n},
                 {"k", problem.k},
                 {"batch", problem.batch.count},
                 {"type", tilewright::to_string(problem.type)},
                 {"trans", transposes_of(problem)}};
  if (const DataType type_c = detail::type_of_c(problem); type_c != problem.type)
    fields["type_c"] = tilewright::to_string(type_c);
  if (problem.accuracy != Accuracy::full) fields["accuracy"] = tilewright::to_string(problem.accuracy);
  if (const std::string epilogue = epilogue_of(problem); !epilogue.empty()) fields["epilogue"] = epilogue;
  return fields;
}

int explain_schedule(const Options& options, const GemmProblem& problem, const Choice& choice) {
  const Session session(options.product.device);
  const TileSchedule schedule =
      schedule_out_of_core(session.engine(), problem, {.memory = options.memory, .choice = choice});
  if (options.json) {
    Json json = fields_of(problem);
    json["memory_limit"] = options.memory;
    json["schedule"] = schedule_json(schedule);
    add_device(json, session.device());
    print_json(json);
    return 0;
  }
  const Page& page = output_page();
  fmt::print("{}", format_field("device", session.device().index() + "  " + session.device().profile.name, page));
  fmt::print("{}{}", format_field("product", to_string(problem), page), schedule_fields(schedule, page));
  return 0;
}

int run(const Options& options) {
  options.algorithm.check_with(options.operation.name);
  const bool has_other_operation = options.operation.is_spmm() || options.operation.is_transpose();
  if (options.memory > 0 && has_other_operation)
    throw UsageError("--memory is for dense products; leave it or --op out");
  if (options.memory > 0 && options.algorithm.is_strassen())
    throw UsageError("--memory does not work with --algorithm strassen; leave one of them out");
  if (options.operation.is_spmm())
    return explain_sparse_choice({.product = options.product,
                                  .forced = options.forced,
                                  .operation = options.operation,
                                  .shape = options.shape,
                                  .shapes_file = {},
                                  .variants = {},
                                  .against = {},
                                  .json = options.json});
  if (options.shape.empty()) throw UsageError("--shape is missing; give the sizes MxNxK, or MxN for a matrix");
  if (options.operation.is_transpose())
    return explain_transpose_choice({.product = options.product,
                                     .forced = options.forced,
                                     .operation = options.operation,
                                     .shapes = {options.shape},
                                     .shapes_file = {},
                                     .variants = {},
                                     .against = {},
                                     .json = options.json});
  options.operation.check_gemm();
  const GemmProblem problem = options.product.problem(options.shape);
  const Choice forced = options.forced.choice();
  if (options.memory > 0) return explain_schedule(options, problem, forced);
  const Device device = pick_device(options.product.device);
  if (options.algorithm.is_strassen()) {
    const StrassenProblem strassen = options.algorithm.strassen_problem(problem);
    if (options.json)
      print_json(strassen_json(device, fields_of(problem), strassen, forced));
    else
      print_strassen(device, to_string(problem), strassen, forced);
    return 0;
  }
  const Explanation explanation = explain_gemm(device.profile, problem, forced);
  if (options.json) {
    print_json(to_json(device, fields_of(problem), explanation));
  } else {
    print_explanation(device, "product", to_string(problem), explanation);
  }
  return 0;
}

}  // namespace

void add_explain_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("explain", "Show the variant and configuration chosen for a product, and the reason");
  const auto options = std::make_shared<Options>();
  command->add_option("--shape", options->shape, "sizes: MxNxK for a product, MxN for a matrix");
  options->product.add_to(*command);
  options->forced.add_to(*command);
  options->operation.add_with_files_to(*command);
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
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
