// `multiply` with a sparse A.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>

#include "commands/products/multiply_options.hpp"
#include "files/input.hpp"
#include "files/matrix_file.hpp"
#include "files/sparse_matrix.hpp"
#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
#include "options/shape.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

struct SparseInputs {
  Triplets a;
  NpyMatrix b;
  std::optional<NpyMatrix> c;
};

/// Throws UsageError for options of dense or complex products.
void check_options(const MultiplyOptions& options) {
  if (scalar_of(options.beta) != 0.0 && options.c_in.empty())
    throw UsageError("--beta needs the matrix of --c-in; add --c-in FILE");
  const EpilogueOptions& epilogue = options.epilogue;
  for (const std::string& text :
       {options.type_c, epilogue.scale, epilogue.bias, epilogue.activation, epilogue.residual, epilogue.zero_point})
    if (!text.empty() || options.accuracy != "full")
      throw UsageError(
          "--c-type, --accuracy, --scale, --bias, --activation, --residual and --zero-point are not for a sparse A; "
          "leave them out");
  if (options.conjugate_a || options.conjugate_b)
    throw UsageError("a sparse A is real; use --trans-a and --trans-b instead of --conjugate-a and --conjugate-b");
  for (const std::string& text : {options.alpha, options.beta})
    if (scalar_of(text).imag() != 0)
      throw UsageError(fmt::format("the factor {} is complex, but a sparse A is real; use a real factor", text));
}

/// Returns f32 or f64: the type of --type, otherwise the smallest that holds the elements.
DataType type_of(const MultiplyOptions& options, const SparseInputs& inputs) {
  for (const NpyMatrix* const dense : {&inputs.b, inputs.c ? &*inputs.c : nullptr})
    if (dense != nullptr && is_complex(dense->header.type))
      throw UsageError("a matrix is complex, but a sparse A is multiplied with real matrices only");
  DataType type = inputs.a.type;
  if (!options.type.empty()) {
    type = parse_type(options.type);
  } else {
    for (const NpyMatrix* const dense : {&inputs.b, inputs.c ? &*inputs.c : nullptr})
      if (dense != nullptr && (dense->header.type == DataType::f64 || dense->header.type == DataType::i32))
        type = DataType::f64;
  }
  if (type != DataType::f32 && type != DataType::f64)
    throw UsageError(fmt::format("the type is {}, but a sparse A is multiplied in f32 or f64", options.type));
  return type;
}

/// Results of a product.
struct SparseOutcome {
  SpmmProblem problem;
  RowStatistics statistics;
  std::string variant;
  std::string configuration;
  double first_result_seconds = 0;
  double seconds = 0;
  verification::SpmmComparison comparison;

  double gflops() const { return flops_of(problem) / seconds * 1e-9; }
  double gigabytes() const { return bytes_of(problem) / seconds * 1e-9; }
  std::uint64_t rows() const { return problem.trans_a == Transpose::no ? problem.m : problem.k; }
};

std::string to_text(const SparseOutcome& outcome, const Device& device, const MultiplyOptions& options) {
  const bool right = outcome.comparison.passed();
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value, Style style = Style::plain) {
    text += format_field(name, value, options.output.page(), style);
  };
  add("device", device.index() + "  " + device.profile.name);
  add("A", to_string(outcome.problem) + (options.trans_a ? ", transposed" : ""));
  add("rows", to_string(outcome.statistics));
  add("variant", outcome.variant);
  add("configuration", outcome.configuration);
  add("first result", format_seconds(outcome.first_result_seconds) + "  including compilation and copies");
  add("time", fmt::format("{}  {} GFLOP/s  {} GB/s", format_seconds(outcome.seconds), format_number(outcome.gflops()),
                          format_number(outcome.gigabytes())));
  add("error/bound", format_number(outcome.comparison.error_over_bound) + (right ? "  verified" : "  WRONG"),
      right ? Style::good : Style::bad);
  if (right) add("output", fmt::format("{}  {} x {}", options.output.path, outcome.rows(), outcome.problem.n));
  return text;
}

Json to_json(const SparseOutcome& outcome, const Device& device, const MultiplyOptions& options) {
  const bool right = outcome.comparison.passed();
  Json json = {{"operation", "spmm"},
               {"m", outcome.problem.m},
               {"k", outcome.problem.k},
               {"n", outcome.problem.n},
               {"nonzeros", outcome.problem.nonzeros},
               {"type", tilewright::to_string(outcome.problem.type)},
               {"trans", options.trans_a ? "T" : "N"},
               {"alpha", scalar_json(options.alpha)},
               {"beta", scalar_json(options.beta)},
               {"variant", outcome.variant},
               {"configuration", outcome.configuration},
               {"seconds", outcome.seconds},
               {"gflops", outcome.gflops()},
               {"gigabytes_per_second", outcome.gigabytes()},
               {"first_result_seconds", outcome.first_result_seconds},
               {"error_over_bound", outcome.comparison.error_over_bound},
               {"verified", right},
               {"output", right ? Json(options.output.path) : Json()}};
  add_device(json, device);
  return json;
}

/// Returns the product. Throws std::runtime_error if the sizes do not fit.
SpmmProblem problem_of(const MultiplyOptions& options, const SparseInputs& inputs) {
  const NpyHeader& b = inputs.b.header;
  SpmmProblem problem = spmm_problem(inputs.a, type_of(options, inputs), options.trans_b ? b.rows : b.columns);
  problem.trans_a = options.trans_a ? Transpose::yes : Transpose::no;
  problem.layout_b = b.fortran_order == options.trans_b ? Layout::row_major : Layout::column_major;
  const std::uint64_t rows = options.trans_a ? problem.k : problem.m, inner = options.trans_a ? problem.m : problem.k;
  const std::uint64_t b_rows = options.trans_b ? b.columns : b.rows;
  if (b_rows != inner)
    throw std::runtime_error(fmt::format("op(A) is {} x {} but op(B) is {} x {}: the inner sizes must be equal", rows,
                                         inner, b_rows, problem.n));
  if (inputs.c && (inputs.c->header.rows != rows || inputs.c->header.columns != problem.n))
    throw std::runtime_error(fmt::format("the matrix of --c-in is {} x {}, the product is {} x {}",
                                         inputs.c->header.rows, inputs.c->header.columns, rows, problem.n));
  if (inputs.c && inputs.c->header.fortran_order) problem.layout_c = Layout::column_major;
  return problem;
}

/// Returns a column-major matrix in row-major order.
template <class T>
std::vector<T> in_c_order(const SpmmProblem& problem, std::uint64_t rows, std::vector<T> stored) {
  if (problem.layout_c == Layout::row_major) return stored;
  std::vector<T> elements(stored.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < problem.n; ++j) elements[i * problem.n + j] = stored[j * rows + i];
  return elements;
}

template <class T>
int multiply(const MultiplyOptions& options, const SparseInputs& inputs, const SpmmProblem& problem,
             const Choice& choice) {
  require_finite<T>("--alpha", options.alpha);
  require_finite<T>("--beta", options.beta);
  SparseOutcome outcome;
  outcome.problem = problem;
  const Session session(options.device);
  session.require_memory(device_bytes_of(problem));
  require_host_memory(options.a, bytes_of(problem), "the product");
  const verification::HostCsr<T> a = by_rows<T>(inputs.a, false, options.a);
  const std::vector<T> b = elements_as<T>(inputs.b);
  const std::vector<T> before =
      inputs.c ? elements_as<T>(*inputs.c) : std::vector<T>(static_cast<std::size_t>(outcome.rows() * problem.n));

  const detail::Stopwatch start;
  const DeviceCsr<T> sparse(session, a);
  const SpmmPlan plan(session.engine(), problem, sparse.structure(), choice);
  outcome.statistics = plan.statistics();
  outcome.variant = plan.explanation().variant;
  outcome.configuration = tilewright::to_string(plan.explanation().configuration);
  const Buffer device_b = session.make_buffer(std::as_bytes(std::span(b)));
  const Buffer device_c = session.make_buffer(std::as_bytes(std::span(before)));
  const double alpha = scalar_of(options.alpha).real(), beta = scalar_of(options.beta).real();
  const SpmmOperands operands{
      .alpha = alpha, .values = sparse.values(), .b = {device_b.get()}, .beta = beta, .c = {device_c.get()}};
  plan.enqueue(session.queue(), operands).wait();
  std::vector<T> result(before.size());
  session.read(device_c.get(), std::as_writable_bytes(std::span(result)));
  result = in_c_order(problem, outcome.rows(), std::move(result));
  outcome.first_result_seconds = start.seconds();

  // Times a second call, because the first includes one-time work of the driver. Its result is ignored.
  const detail::Stopwatch call;
  plan.enqueue(session.queue(), operands).wait();
  outcome.seconds = call.seconds();

  show_progress("verifying");
  const verification::HostCsr<T> used = options.trans_a ? by_rows<T>(inputs.a, true, options.a) : a;
  const std::vector<T> old = in_c_order(problem, outcome.rows(), before);
  outcome.comparison = verification::compare<T>({.a = used,
                                                 .n = problem.n,
                                                 .b = b.data(),
                                                 .layout_b = problem.layout_b,
                                                 .alpha = alpha,
                                                 .beta = beta,
                                                 .c = old.data()},
                                                result.data());
  clear_progress();
  const bool right = outcome.comparison.passed();
  if (right) write_npy(options.output.path, outcome.rows(), problem.n, result);
  options.output.print(options.output.json ? json_line(to_json(outcome, session.device(), options))
                                           : to_text(outcome, session.device(), options));
  if (!right) throw std::runtime_error("the result is wrong; " + options.output.path + " was not written");
  return 0;
}

}  // namespace

int multiply_sparse(const MultiplyOptions& options) {
  check_options(options);
  const Choice choice = options.forced.choice(spmm_variants());
  options.output.check({options.a, options.b, options.c_in});
  SparseInputs inputs{read_sparse_file(options.a), read_dense_file(options.b), {}};
  if (!options.c_in.empty()) inputs.c = read_dense_file(options.c_in);
  const SpmmProblem problem = problem_of(options, inputs);
  return problem.type == DataType::f64 ? multiply<double>(options, inputs, problem, choice)
                                       : multiply<float>(options, inputs, problem, choice);
}

}  // namespace tilewright::tool
