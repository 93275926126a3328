#include "tilewright/transpose.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "commands/commands.hpp"
#include "commands/products/multiply_options.hpp"
#include "compare/transposition.hpp"
#include "files/npy.hpp"
#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "options/matrix_output.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"
#include "options/shape.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct TransposeCommandOptions {
  std::string a;
  std::string type;
  MatrixOutput output;
  double alpha = 1;
  ChoiceOptions forced;
  std::string device;
};

/// Unsigned integers count as bits of a type that NumPy lacks only if --type says so.
Element element_of(const NpyHeader& header, const std::string& wanted) {
  for (const detail::ElementType& type : detail::element_types())
    if (header.descriptor == type.numpy && (wanted.empty() ? type.numpy_number : wanted == type.name)) return type.type;
  if (!wanted.empty())
    throw UsageError(fmt::format("--type {}: the elements are {}, expected {}; leave --type out or correct it", wanted,
                                 in_quotes(header.descriptor),
                                 in_quotes(detail::element_type(parse_type(wanted)).numpy)));
  return Element::of_bytes(header.element_bytes());
}

/// A matrix in Fortran order is the transpose of one in C order, so only the order changes.
TransposeProblem problem_of(const NpyHeader& header, const std::string& wanted) {
  TransposeProblem problem{.type = element_of(header, wanted), .m = header.rows, .n = header.columns};
  if (!header.fortran_order) return problem;
  problem.trans = Transpose::no;
  std::swap(problem.m, problem.n);
  return problem;
}

struct TransposeOutcome {
  NpyHeader header;  // of A
  TransposeProblem problem;
  std::string variant;
  std::string configuration;
  double first_result_seconds = 0;
  double seconds = 0;
  std::string wrong;  // empty if the result is right

  double gigabytes() const {
    return 2 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
           static_cast<double>(problem.type.bytes()) * 1e-9;
  }
};

std::string to_text(const TransposeOutcome& outcome, const Device& device, const TransposeCommandOptions& options) {
  const bool right = outcome.wrong.empty();
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value, Style style = Style::plain) {
    text += format_field(name, value, options.output.page(), style);
  };
  add("device", device.index() + "  " + device.profile.name);
  add("A", fmt::format("{} x {}, {}", outcome.header.rows, outcome.header.columns, outcome.header.descriptor));
  add("variant", outcome.variant);
  add("configuration", outcome.configuration);
  add("first result", format_seconds(outcome.first_result_seconds) + "  including compilation and copies");
  add("time", fmt::format("{}  {} GB/s", format_seconds(outcome.seconds),
                          format_number(outcome.gigabytes() / outcome.seconds)));
  add("result", right ? "verified" : "WRONG: " + outcome.wrong, right ? Style::good : Style::bad);
  if (right)
    add("output", fmt::format("{}  {} x {}", options.output.path, outcome.header.columns, outcome.header.rows));
  return text;
}

Json to_json(const TransposeOutcome& outcome, const Device& device, const TransposeCommandOptions& options) {
  const bool right = outcome.wrong.empty();
  Json json = {{"operation", "transpose"},
               {"m", outcome.header.rows},
               {"n", outcome.header.columns},
               {"element", outcome.header.descriptor},
               {"alpha", options.alpha},
               {"variant", outcome.variant},
               {"configuration", outcome.configuration},
               {"seconds", outcome.seconds},
               {"gigabytes_per_second", outcome.gigabytes() / outcome.seconds},
               {"first_result_seconds", outcome.first_result_seconds},
               {"verified", right},
               {"output", right ? Json(options.output.path) : Json()}};
  add_device(json, device);
  return json;
}

int run(const TransposeCommandOptions& options) {
  const Choice choice = options.forced.choice(transpose_variants());
  options.output.check({options.a});
  // Check the device's memory before the host reads the matrix.
  const NpyHeader header = read_npy_header(options.a, NpyElements::any);
  if (const std::optional<DataType> number = element_of(header, options.type).number())
    detail::with_host_type(*number, [&]<class T>(std::type_identity<T>) {
      require_finite<T>("--alpha", fmt::to_string(options.alpha), false);
    });
  const Session session(options.device);
  session.require_memory(static_cast<double>(header.data_bytes()), 2);
  const NpyMatrix a = read_npy(options.a, NpyElements::any);
  NpyMatrix result{a.header, std::vector<std::byte>(a.data.size())};
  result.header.fortran_order = false;
  std::swap(result.header.rows, result.header.columns);

  TransposeOutcome outcome;
  outcome.header = a.header;
  outcome.problem = problem_of(a.header, options.type);
  const detail::Stopwatch start;
  const TransposePlan plan(session.engine(), outcome.problem, choice);
  outcome.variant = plan.explanation().variant;
  outcome.configuration = tilewright::to_string(plan.explanation().configuration);
  const Buffer device_a = session.make_buffer(a.data), device_b = session.make_buffer(result.data);
  const TransposeOperands operands{.alpha = options.alpha, .a = {device_a.get()}, .b = {device_b.get()}};
  plan.enqueue(session.queue(), operands).wait();
  session.read(device_b.get(), result.data);
  outcome.first_result_seconds = start.seconds();

  // Times a second call, because the first includes one-time work of the driver. Its result is ignored.
  const detail::Stopwatch call;
  plan.enqueue(session.queue(), operands).wait();
  outcome.seconds = call.seconds();

  show_progress("verifying");
  outcome.wrong = wrong_transposition(outcome.problem, options.alpha, a.data, result.data);
  clear_progress();
  if (outcome.wrong.empty()) write_npy(options.output.path, result);
  options.output.print(options.output.json ? json_line(to_json(outcome, session.device(), options))
                                           : to_text(outcome, session.device(), options));
  if (!outcome.wrong.empty())
    throw std::runtime_error("the result is wrong; " + options.output.path + " was not written");
  return 0;
}

}  // namespace

void add_transpose_command(CLI::App& app, Action& action) {
  CLI::App* const command =
      app.add_subcommand("transpose", "Transpose a NumPy matrix of any element type: B = alpha A^T, verified");
  const auto options = std::make_shared<TransposeCommandOptions>();
  command->add_option("A", options->a, "NumPy file of A; elements may have 1, 2, 4, 8 or 16 bytes")->required();
  options->output.add_to(*command);
  command->add_option("--type", options->type, "element type; needed only for bf16, which files store as bits, '<u2'")
      ->check(one_of("type", type_names()));
  command
      ->add_option("--alpha", options->alpha,
                   fmt::format("factor; only for element types {}", join_words(type_names())))
      ->check(real_number(true))
      ->capture_default_str();
  options->forced.add_to(*command);
  add_device_option(*command, options->device);
  command->footer("Example:\n  tilewright transpose A.npy -o B.npy");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
