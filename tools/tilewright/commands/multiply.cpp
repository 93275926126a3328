#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "commands/commands.hpp"
#include "commands/epilogue_inputs.hpp"
#include "commands/multiply_options.hpp"
#include "files/matrix_file.hpp"
#include "kernels/host_type.hpp"
#include "option_values.hpp"
#include "product_options.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "shape.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "text/text.hpp"
#include "usage_error.hpp"
#include "verification/gemm/gemm_check.hpp"
#include "verification/strassen/strassen_check.hpp"

namespace tilewright::tool {
namespace {

struct Inputs {
  NpyMatrix a;
  NpyMatrix b;
  std::optional<NpyMatrix> c;
  EpilogueInputs epilogue;
};

/// Unsigned integers are the bits of a type that NumPy lacks only where the user says so.
NpyElements elements_for(const MultiplyOptions& options) {
  const bool has_bits = !options.type.empty() && !detail::element_type(parse_type(options.type)).numpy_number;
  return has_bits ? NpyElements::numbers_and_bits : NpyElements::numbers;
}

Inputs read_inputs(const MultiplyOptions& options) {
  const NpyElements elements = elements_for(options);
  Inputs inputs{read_dense_file(options.a, elements),
                read_dense_file(options.b, elements),
                {},
                read_epilogue_inputs(options.epilogue, elements)};
  if (!options.c_in.empty()) inputs.c = read_dense_file(options.c_in, elements);
  return inputs;
}

/// A matrix in Fortran order is the transpose of one in C order, so nothing needs to be moved; but where its conjugate
/// transpose is wanted, the elements are conjugated as they are read.
Transpose transpose_of(const NpyHeader& header, bool wanted, bool conjugate) {
  if (header.fortran_order == wanted) return Transpose::no;
  return conjugate ? Transpose::conjugate : Transpose::yes;
}

/// The elements of A or B as the product takes them.
template <class T>
std::vector<T> input_of(const NpyMatrix& matrix, Transpose transpose, bool conjugate) {
  std::vector<T> elements = elements_as<T>(matrix);
  if constexpr (detail::is_complex_host_type<T>)
    if (conjugate && transpose == Transpose::no)
      for (T& element : elements) element = std::conj(element);
  return elements;
}

/// Floats take integers, but not the other way round.
void check_integers(const GemmProblem& problem, const Inputs& inputs) {
  const auto check = [](std::string_view name, DataType found, DataType wanted) {
    if (!detail::is_integer(wanted) || found == wanted) return;
    throw UsageError(fmt::format("{} is {}, but the product takes {} there; give another --type", name,
                                 tilewright::to_string(found), tilewright::to_string(wanted)));
  };
  check("A", inputs.a.header.type, problem.type);
  check("B", inputs.b.header.type, problem.type);
  if (inputs.c) check("the matrix of --c-in", inputs.c->header.type, detail::type_of_c(problem));
}

GemmProblem problem_of(const MultiplyOptions& options, const Inputs& inputs) {
  const NpyHeader& a = inputs.a.header;
  const NpyHeader& b = inputs.b.header;
  GemmProblem problem;
  if (!options.type.empty()) {
    problem.type = parse_type(options.type);
  } else {
    problem.type = common_type(a.type, b.type);
    const bool has_sums = inputs.c && inputs.c->header.type == detail::usual_type_of_c(problem.type);
    if (inputs.c && options.type_c.empty() && !has_sums)
      problem.type = common_type(problem.type, inputs.c->header.type);
  }
  if (!options.type_c.empty()) problem.type_c = parse_type(options.type_c);
  if (problem.type_c == detail::usual_type_of_c(problem.type)) problem.type_c.reset();
  problem.accuracy = parse_accuracy(options.accuracy);
  detail::check_types(problem);
  check_integers(problem, inputs);
  const bool trans_a = options.trans_a || options.conjugate_a, trans_b = options.trans_b || options.conjugate_b;
  problem.trans_a = transpose_of(a, trans_a, options.conjugate_a);
  problem.trans_b = transpose_of(b, trans_b, options.conjugate_b);
  problem.m = trans_a ? a.columns : a.rows;
  problem.k = trans_a ? a.rows : a.columns;
  problem.n = trans_b ? b.rows : b.columns;
  const std::uint64_t b_rows = trans_b ? b.columns : b.rows;
  if (b_rows != problem.k) {
    throw std::runtime_error(fmt::format("op(A) is {} x {} but op(B) is {} x {}: the inner sizes must be equal",
                                         problem.m, problem.k, b_rows, problem.n));
  }
  if (inputs.c && (inputs.c->header.rows != problem.m || inputs.c->header.columns != problem.n)) {
    throw std::runtime_error(fmt::format("the matrix of --c-in is {} x {}, the product is {} x {}",
                                         inputs.c->header.rows, inputs.c->header.columns, problem.m, problem.n));
  }
  problem.epilogue = options.epilogue.epilogue();
  check_epilogue_inputs(inputs.epilogue, problem);
  return problem;
}

/// A matrix like C in C order; empty where there is none.
template <class T>
std::vector<T> in_c_order(const GemmProblem& problem, const std::optional<NpyMatrix>& c) {
  if (!c) return {};
  std::vector<T> stored = elements_as<T>(*c);
  if (!c->header.fortran_order) return stored;
  std::vector<T> elements(stored.size());
  for (std::size_t i = 0; i < problem.m; ++i) {
    for (std::size_t j = 0; j < problem.n; ++j) elements[i * problem.n + j] = stored[j * problem.m + i];
  }
  return elements;
}

/// C before the call.
template <class T>
std::vector<T> initial_c(const GemmProblem& problem, const std::optional<NpyMatrix>& c) {
  return c ? in_c_order<T>(problem, c) : std::vector<T>(static_cast<std::size_t>(problem.m * problem.n));
}

template <class T>
std::vector<T> vector_of(const std::optional<NpyMatrix>& vector) {
  return vector ? elements_as<T>(*vector) : std::vector<T>();
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& elements) {
  return std::as_bytes(std::span(elements));
}

/// What a product came to.
struct Outcome {
  GemmProblem problem;
  std::string variant;
  std::string configuration;
  double compile_seconds = 0;
  double first_result_seconds = 0;
  double seconds = 0;
  verification::Comparison comparison;

  double gflops() const { return flops_of(problem) / seconds * 1e-9; }
};

std::string to_text(const Outcome& outcome, const Device& device, const MultiplyOptions& options) {
  const bool right = outcome.comparison.passed();
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value, Style style = Style::plain) {
    text += format_field(name, value, options.output.page(), style);
  };
  add("device", device.index() + "  " + device.profile.name);
  add("product", to_string(outcome.problem));
  add("variant", outcome.variant);
  add("configuration", outcome.configuration);
  add("compile time", format_seconds(outcome.compile_seconds));
  add("first result", format_seconds(outcome.first_result_seconds) + "  with compiling and copies");
  add("time", fmt::format("{}  {} GFLOP/s", format_seconds(outcome.seconds), format_number(outcome.gflops())));
  add("error/bound", format_number(outcome.comparison.error_over_bound) + (right ? "  verified" : "  WRONG"),
      right ? Style::good : Style::bad);
  if (right) add("output", fmt::format("{}  {} x {}", options.output.path, outcome.problem.m, outcome.problem.n));
  return text;
}

Json to_json(const Outcome& outcome, const Device& device, const MultiplyOptions& options) {
  const bool right = outcome.comparison.passed();
  Json json = {{"m", outcome.problem.m},
               {"n", outcome.problem.n},
               {"k", outcome.problem.k},
               {"type", tilewright::to_string(outcome.problem.type)},
               {"trans", transposes_of(outcome.problem)},
               {"alpha", scalar_json(options.alpha)},
               {"beta", scalar_json(options.beta)},
               {"variant", outcome.variant},
               {"configuration", outcome.configuration},
               {"seconds", outcome.seconds},
               {"gflops", outcome.gflops()},
               {"compile_seconds", outcome.compile_seconds},
               {"first_result_seconds", outcome.first_result_seconds},
               {"error_over_bound", outcome.comparison.error_over_bound},
               {"verified", right},
               {"output", right ? Json(options.output.path) : Json()}};
  if (const std::string epilogue = epilogue_of(outcome.problem); !epilogue.empty()) json["epilogue"] = epilogue;
  if (const DataType type_c = detail::type_of_c(outcome.problem); type_c != outcome.problem.type)
    json["type_c"] = tilewright::to_string(type_c);
  if (outcome.problem.accuracy != Accuracy::full) json["accuracy"] = tilewright::to_string(outcome.problem.accuracy);
  add_device(json, device);
  return json;
}

/// Writes C and tells of it, where it is right.
template <class C>
int deliver(const Outcome& outcome, const Device& device, const MultiplyOptions& options,
            const std::vector<C>& result) {
  clear_progress();
  const bool right = outcome.comparison.passed();
  if (right) write_npy(options.output.path, outcome.problem.m, outcome.problem.n, result);
  options.output.tell(options.output.json ? json_line(to_json(outcome, device, options))
                                          : to_text(outcome, device, options));
  if (!right) throw std::runtime_error("the result is wrong; " + options.output.path + " was not written");
  return 0;
}

/// What does a product, and how its result is checked.
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
  return {plan->variant(), tilewright::to_string(plan->configuration()),
          [plan, &session](const GemmOperands& operands) { return plan->enqueue(session.queue(), operands); },
          [](const auto& call, const C* result) { return verification::GemmCheck<T, C>(call)(result); }};
}

/// Only floats get past the plan's constructor.
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
int multiply(const MultiplyOptions& options, const Inputs& inputs, const GemmProblem& problem, const Choice& choice) {
  const Session session(options.device);
  session.require_memory(problem);
  const std::vector<T> a = input_of<T>(inputs.a, problem.trans_a, options.conjugate_a);
  const std::vector<T> b = input_of<T>(inputs.b, problem.trans_b, options.conjugate_b);
  const std::vector<C> before = initial_c<C>(problem, inputs.c);
  using Scalar = detail::Finishing<T>;
  const std::vector<Scalar> scale = vector_of<Scalar>(inputs.epilogue.scale);
  const std::vector<Scalar> bias = vector_of<Scalar>(inputs.epilogue.bias);
  const std::vector<C> residual = in_c_order<C>(problem, inputs.epilogue.residual);

  const detail::Stopwatch start;
  const Method<T, C> method = options.algorithm.is_strassen()
                                  ? strassen_method<T, C>(session, options.algorithm.strassen_problem(problem), choice)
                                  : gemm_method<T, C>(session, problem, choice);
  Outcome outcome{problem, method.variant, method.configuration, start.seconds(), 0, 0, {}};
  const Buffer device_a = session.make_buffer(bytes_of(a));
  const Buffer device_b = session.make_buffer(bytes_of(b));
  const Buffer device_c = session.make_buffer(bytes_of(before));
  const Buffer device_scale = session.make_buffer(bytes_of(scale));
  const Buffer device_bias = session.make_buffer(bytes_of(bias));
  const Buffer device_residual = session.make_buffer(bytes_of(residual));
  const std::complex<double> alpha = scalar_of(options.alpha), beta = scalar_of(options.beta);
  GemmOperands operands{alpha, {device_a.get()}, {device_b.get()}, beta, {device_c.get()}};
  operands.scale.buffer = device_scale.get();
  operands.bias.buffer = device_bias.get();
  operands.residual.buffer = device_residual.get();
  method.enqueue(operands).wait();
  std::vector<C> result(before.size());
  session.read(device_c.get(), std::as_writable_bytes(std::span(result)));
  outcome.first_result_seconds = start.seconds();

  // The first call pays for what the driver puts off until then, so a second one is timed; its result is not used.
  const detail::Stopwatch call;
  method.enqueue(operands).wait();
  outcome.seconds = call.seconds();

  show_progress("verifying");
  const verification::HostGemm<T, C> host_call{problem,       alpha,        a.data(),    b.data(),       beta,
                                               before.data(), scale.data(), bias.data(), residual.data()};
  outcome.comparison = method.check(host_call, result.data());
  return deliver(outcome, session.device(), options, result);
}

/// The product in host memory, shared out between devices.
template <class T>
int multiply_in_group(const MultiplyOptions& options, const Inputs& inputs, const GemmProblem& problem) {
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
  Outcome outcome{problem, "group", fmt::format("devices={}", group.engines().size()), start.seconds(), 0, 0, {}};
  const DeviceGroupOptions threads = options.group.options();
  group.gemm(problem, operands, threads);
  outcome.first_result_seconds = start.seconds();
  const DeviceGroupReport report = group.gemm(problem, operands, threads);
  outcome.seconds = report.seconds;
  if (!options.output.json) print_note(to_string(report));
  show_progress("verifying");
  const verification::HostGemm<T> host_call{problem, operands.alpha, a.data(), b.data(), operands.beta, before.data()};
  outcome.comparison = verification::GemmCheck<T>(host_call)(result.data());
  return deliver(outcome, pick_device(options.device), options, result);
}

/// Nothing of a complex input is left out.
void require_complex(const MultiplyOptions& options, const Inputs& inputs, const GemmProblem& problem) {
  if (is_complex(problem.type)) return;
  const auto refuse = [&](std::string_view what) {
    throw UsageError(
        fmt::format("{}, and {} has none; use --type c64 or c128", what, tilewright::to_string(problem.type)));
  };
  for (const auto& [name, text] : {std::pair("--alpha", &options.alpha), std::pair("--beta", &options.beta)})
    if (scalar_of(*text).imag() != 0) refuse(fmt::format("{}: {} has an imaginary part", name, *text));
  const auto check = [&](const NpyMatrix& input) {
    if (is_complex(input.header.type)) refuse("a matrix of complex numbers has imaginary parts");
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
    throw UsageError("with --devices there is no --scale, --bias, --activation or --residual");
  if (is_sparse_file(options.a) || options.memory > 0 || options.algorithm.is_strassen())
    throw UsageError("--devices is for products of dense matrices by --algorithm gemm, without --memory");
  if (!(options.forced.choice() == Choice{})) throw UsageError("with --devices each tile's variant is chosen");
}

int run(const MultiplyOptions& options) {
  options.algorithm.check_with(is_sparse_file(options.a) ? "spmm" : "gemm");
  options.group.check();
  if (options.group.is_used()) check_group(options);
  if (options.memory > 0 && options.algorithm.is_strassen())
    throw UsageError("--memory does products by gemm, not by --algorithm strassen");
  if (is_sparse_file(options.a)) {
    if (options.memory > 0) throw UsageError("--memory is of dense matrices, and A is sparse");
    return multiply_sparse(options);
  }
  if (scalar_of(options.beta) != 0.0 && options.c_in.empty()) throw UsageError("--beta needs the matrix of --c-in");
  if (options.memory > 0) return multiply_out_of_core(options);
  const Choice choice = options.forced.choice();
  std::vector<std::string> files = options.epilogue.inputs();
  files.insert(files.end(), {options.a, options.b, options.c_in});
  options.output.check(files);
  const Inputs inputs = read_inputs(options);
  const GemmProblem problem = problem_of(options, inputs);
  require_complex(options, inputs, problem);
  return verification::with_product_types(problem, [&]<class T, class C>(std::type_identity<T>, std::type_identity<C>) {
    require_finite<T>("--alpha", options.alpha);
    require_finite<T>("--beta", options.beta);
    if constexpr (std::is_same_v<T, C> && std::is_floating_point_v<T>)
      if (options.group.is_used()) return multiply_in_group<T>(options, inputs, problem);
    if (options.group.is_used()) throw UsageError("--devices takes f32 and f64");
    return multiply<T, C>(options, inputs, problem, choice);
  });
}

}  // namespace

void add_multiply_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "multiply",
      "Multiply matrices in files, dense ones or a sparse and a dense one: C = alpha op(A) op(B) + beta C, verified");
  const auto options = std::make_shared<MultiplyOptions>();
  options->add_to(*command);
  command->footer(
      "Example:\n  tilewright multiply A.npy B.npy -o C.npy --trans-b --alpha 0.5\n"
      "  tilewright multiply A.mtx B.npy -o C.npy\n"
      "  tilewright multiply A.npy B.npy -o C.npy --memory 2G\n"
      "  tilewright multiply x.npy weights.npy -o y.npy --bias bias.npy --bias-per column --activation gelu");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
