#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "commands/commands.hpp"
#include "commands/products/multiply_inputs.hpp"
#include "commands/products/multiply_options.hpp"
#include "commands/products/multiply_structured.hpp"
#include "commands/products/product_report.hpp"
#include "kernels/host_type.hpp"
#include "options/option_values.hpp"
#include "options/product_options.hpp"
#include "options/shape.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "tilewright/gemm.hpp"
#include "usage_error.hpp"
#include "verification/gemm/gemm_check.hpp"
#include "verification/strassen/strassen_check.hpp"

namespace tilewright::tool {
namespace {

template <class T>
std::vector<T> vector_of(const std::optional<NpyMatrix>& vector) {
  return vector ? elements_as<T>(*vector) : std::vector<T>();
}

template <class T>
std::span<const std::byte> bytes_in(const std::vector<T>& elements) {
  return std::as_bytes(std::span(elements));
}

/// How a product is computed, and how its result is checked.
template <class T, class C>
struct Method {
  std::string variant;
  std::string configuration;
  std::function<Event(const GemmOperands&)> enqueue;
  std::function<verification::Comparison(const verification::HostGemm<T, C>&, const C*)> check;
};

template <class T, class C>
Method<T, C> gemm_method(const Session& session, const GemmProblem& problem, const Choice& choice) {
  const auto plan = std::make_shared<const GemmPlan>(session.engine(), problem, choice);
  return {plan->explanation().variant, tilewright::to_string(plan->explanation().configuration),
          [plan, &session](const GemmOperands& operands) { return plan->enqueue(session.queue(), operands); },
          [plan](verification::HostGemm<T, C> call, const C* result) {
            call.scales_sums = verification::scales_sums(plan->explanation());
            return verification::GemmCheck<T, C>(call)(result);
          }};
}

/// StrassenPlan's constructor rejects all types except floats.
template <class T, class C>
Method<T, C> strassen_method(const Session& session, const StrassenProblem& problem, const Choice& choice) {
  const auto plan = std::make_shared<const StrassenPlan>(session.engine(), problem, choice);
  const unsigned levels = plan->levels();
  const double factor = strassen_error_factor(problem.product.k, levels);
  Method<T, C> method{"strassen", fmt::format("levels={}", levels), {}, {}};
  method.enqueue = [plan, &session](const GemmOperands& operands) {
    return plan->enqueue(session.queue(), {.alpha = operands.alpha.real(),
                                           .a = operands.a,
                                           .b = operands.b,
                                           .beta = operands.beta.real(),
                                           .c = operands.c});
  };
  if constexpr (std::is_same_v<T, C> && std::is_floating_point_v<T>)
    method.check = [levels, factor](const auto& call, const C* result) {
      return verification::StrassenCheck<T>(call, factor, levels)(result);
    };
  return method;
}

template <class T, class C>
int multiply(const MultiplyOptions& options, const MultiplyInputs& inputs, const GemmProblem& problem,
             const Choice& choice) {
  const Session session(options.device);
  session.require_memory(problem);
  const std::vector<T> a = input_of<T>(inputs.a, problem.trans_a, options.conjugate_a);
  const std::vector<T> b = input_of<T>(inputs.b, problem.trans_b, options.conjugate_b);
  const std::vector<C> before = initial_c<C>(problem, inputs.c);
  using Scalar = detail::EpilogueType<T>;
  const std::vector<Scalar> scale = vector_of<Scalar>(inputs.epilogue.scale);
  const std::vector<Scalar> bias = vector_of<Scalar>(inputs.epilogue.bias);
  const std::vector<C> residual = in_c_order<C>(problem, inputs.epilogue.residual);

  const detail::Stopwatch start;
  const Method<T, C> method = options.algorithm.is_strassen()
                                  ? strassen_method<T, C>(session, options.algorithm.strassen_problem(problem), choice)
                                  : gemm_method<T, C>(session, problem, choice);
  ProductOutcome outcome{problem, method.variant, method.configuration, start.seconds()};
  const Buffer device_a = session.make_buffer(bytes_in(a));
  const Buffer device_b = session.make_buffer(bytes_in(b));
  const Buffer device_c = session.make_buffer(bytes_in(before));
  const Buffer device_scale = session.make_buffer(bytes_in(scale));
  const Buffer device_bias = session.make_buffer(bytes_in(bias));
  const Buffer device_residual = session.make_buffer(bytes_in(residual));
  const std::complex<double> alpha = scalar_of(options.alpha), beta = scalar_of(options.beta);
  GemmOperands operands{alpha, {device_a.get()}, {device_b.get()}, beta, {device_c.get()}};
  operands.scale.buffer = device_scale.get();
  operands.bias.buffer = device_bias.get();
  operands.residual.buffer = device_residual.get();
  method.enqueue(operands).wait();
  std::vector<C> result(before.size());
  session.read(device_c.get(), std::as_writable_bytes(std::span(result)));
  outcome.first_result_seconds = start.seconds();

  // Times a second call, because the first includes one-time work of the driver. Its result is ignored.
  const detail::Stopwatch call;
  method.enqueue(operands).wait();
  outcome.seconds = call.seconds();

  show_progress("verifying");
  const verification::HostGemm<T, C> host_call{problem,       alpha,        a.data(),    b.data(),       beta,
                                               before.data(), scale.data(), bias.data(), residual.data()};
  outcome.comparison = method.check(host_call, result.data());
  return deliver(outcome, session.device(), options, result);
}

/// Multiplies in host memory on several devices.
template <class T>
int multiply_in_group(const MultiplyOptions& options, const MultiplyInputs& inputs, const GemmProblem& problem) {
  const std::vector<T> a = input_of<T>(inputs.a, problem.trans_a, options.conjugate_a);
  const std::vector<T> b = input_of<T>(inputs.b, problem.trans_b, options.conjugate_b);
  const std::vector<T> before = initial_c<T>(problem, inputs.c);
  std::vector<T> result(before.size());
  const HostOperands operands{.alpha = scalar_of(options.alpha).real(),
                              .a = a.data(),
                              .b = b.data(),
                              .beta = scalar_of(options.beta).real(),
                              .c = result.data(),
                              .c_in = before.data()};
  const detail::Stopwatch start;
  const DeviceGroup group = options.group.group();
  ProductOutcome outcome{problem, "group", fmt::format("devices={}", group.engines().size()), start.seconds()};
  const DeviceGroupOptions threads = options.group.options();
  group.gemm(problem, operands, threads);
  outcome.first_result_seconds = start.seconds();
  const DeviceGroupReport report = group.gemm(problem, operands, threads);
  outcome.seconds = report.seconds;
  if (!options.output.json) print_note(to_string(report));
  show_progress("verifying");
  const verification::HostGemm<T> host_call{problem,  operands.alpha.value(), a.data(),
                                            b.data(), operands.beta.value(),  before.data()};
  outcome.comparison = verification::GemmCheck<T>(host_call)(result.data());
  return deliver(outcome, pick_device(options.device), options, result);
}

/// Throws UsageError if an input has imaginary parts but the product is real.
void require_complex(const MultiplyOptions& options, const MultiplyInputs& inputs, const GemmProblem& problem) {
  if (is_complex(problem.type)) return;
  const auto refuse = [&](std::string_view what) {
    throw UsageError(
        fmt::format("{}, but the type is {}; use --type c64 or c128", what, tilewright::to_string(problem.type)));
  };
  for (const auto& [name, text] : {std::pair("--alpha", &options.alpha), std::pair("--beta", &options.beta)})
    if (scalar_of(*text).imag() != 0) refuse(fmt::format("{}: {} has an imaginary part", name, *text));
  const auto check = [&](const NpyMatrix& input) {
    if (is_complex(input.header.type)) refuse("a matrix is complex");
  };
  check(inputs.a);
  check(inputs.b);
  const EpilogueInputs& epilogue = inputs.epilogue;
  for (const auto* const input : {&inputs.c, &epilogue.scale, &epilogue.bias, &epilogue.residual})
    if (*input) check(**input);
}

void check_group(const MultiplyOptions& options) {
  const std::vector<std::string> inputs = options.epilogue.inputs();
  if (std::any_of(inputs.begin(), inputs.end(), [](const auto& file) { return !file.empty(); }) ||
      !(options.epilogue.epilogue() == GemmEpilogue{}))
    throw UsageError("--devices does not work with --scale, --bias, --activation and --residual; leave them out");
  if (is_sparse_file(options.a) || options.memory > 0 || options.algorithm.is_strassen())
    throw UsageError("--devices is for dense matrices and --algorithm gemm, without --memory");
  if (!(options.forced.choice() == Choice{}))
    throw UsageError(
        "with --devices each tile's variant is chosen automatically; leave out --variant and --configuration");
}

int run(const MultiplyOptions& options) {
  options.algorithm.check_with(is_sparse_file(options.a) ? "spmm" : "gemm");
  options.group.check();
  if (options.structure.is_used()) check_structured(options);
  if (options.group.is_used()) check_group(options);
  if (options.memory > 0 && options.algorithm.is_strassen())
    throw UsageError("--memory does not work with --algorithm strassen; leave one of them out");
  if (is_sparse_file(options.a)) {
    if (options.memory > 0) throw UsageError("--memory is for dense matrices, but A is sparse; leave it out");
    return multiply_sparse(options);
  }
  if (scalar_of(options.beta) != 0.0 && options.c_in.empty())
    throw UsageError("--beta needs the matrix of --c-in; add --c-in FILE");
  if (options.memory > 0) return multiply_out_of_core(options);
  const Choice choice = options.forced.choice();
  std::vector<std::string> files = options.epilogue.inputs();
  files.insert(files.end(), {options.a, options.b, options.c_in});
  options.output.check(files);
  const MultiplyInputs inputs = read_multiply_inputs(options);
  const GemmProblem problem = multiply_problem(options, inputs);
  require_complex(options, inputs, problem);
  if (options.structure.is_used()) return multiply_structured(options, inputs, problem, choice);
  return verification::with_product_types(problem, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
    require_finite<T>("--alpha", options.alpha);
    require_finite<T>("--beta", options.beta);
    if constexpr (std::is_same_v<T, C> && std::is_floating_point_v<T>)
      if (options.group.is_used()) return multiply_in_group<T>(options, inputs, problem);
    if (options.group.is_used())
      throw UsageError("--devices takes f32 and f64 only; leave it out, or give another --type");
    return multiply<T, C>(options, inputs, problem, choice);
  });
}

}  // namespace

void add_multiply_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "multiply", "Multiply matrices in files: C = alpha op(A) op(B) + beta C with a dense or sparse A, verified");
  const auto options = std::make_shared<MultiplyOptions>();
  options->add_to(*command);
  command->footer(
      "Example:\n  tilewright multiply A.npy B.npy -o C.npy --trans-b --alpha 0.5\n"
      "  tilewright multiply A.mtx B.npy -o C.npy\n"
      "  tilewright multiply A.npy B.npy -o C.npy --symmetric lower\n"
      "  tilewright multiply A.npy B.npy -o C.npy --memory 2G\n"
      "  tilewright multiply x.npy weights.npy -o y.npy --bias bias.npy --bias-per column --activation gelu");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
