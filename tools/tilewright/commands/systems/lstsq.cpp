// `tilewright lstsq`: least-squares solutions, and solutions of smallest norm.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/products/multiply_options.hpp"
#include "commands/systems/linear_system.hpp"
#include "files/matrix_file.hpp"
#include "files/storage_order.hpp"
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
#include "tilewright/least_squares.hpp"
#include "usage_error.hpp"
#include "verification/qr/qr_residuals.hpp"

namespace tilewright::tool {
namespace {

struct LeastSquaresOptions {
  std::string a;
  std::string b;
  bool trans = false;
  std::string type;
  MatrixOutput output;
  std::string device;
};

struct LeastSquaresOutcome {
  GelsProblem problem;
  std::int64_t info = 0;
  double first_result_seconds = 0;
  double seconds = 0;
  double backward_error = 0;
  double residual_norm = 0;   ///< of the checked columns
  std::uint64_t checked = 0;  ///< number of columns

  std::uint64_t rows() const { return problem.trans == Transpose::no ? problem.m : problem.n; }  // of op(A)
  std::uint64_t columns() const { return problem.m + problem.n - rows(); }
  bool is_wide() const { return rows() < columns(); }
  bool is_right() const { return backward_error < verification::qr_threshold; }
};

std::string to_text(const LeastSquaresOutcome& outcome, const Device& device, const LeastSquaresOptions& options) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value, Style style = Style::plain) {
    text += format_field(name, value, options.output.page(), style);
  };
  const GelsProblem& p = outcome.problem;
  add("device", device.index() + "  " + device.profile.name);
  add("A", fmt::format("{} x {}, {}", p.m, p.n, tilewright::to_string(p.type)));
  add("solution", outcome.is_wide() ? "the one of smallest norm" : "least squares");
  add("first result", format_seconds(outcome.first_result_seconds) + "  including compilation and copies");
  add("time", format_seconds(outcome.seconds));
  add("|B - A X|", format_number(outcome.residual_norm) +
                       (outcome.checked < p.nrhs ? fmt::format("  of {} columns", outcome.checked) : ""));
  add("error", format_number(outcome.backward_error) + (outcome.is_right() ? " max(m, n) u  verified" : "  WRONG"),
      outcome.is_right() ? Style::good : Style::bad);
  if (outcome.is_right()) add("output", fmt::format("{}  {} x {}", options.output.path, outcome.columns(), p.nrhs));
  return text;
}

Json to_json(const LeastSquaresOutcome& outcome, const Device& device, const LeastSquaresOptions& options) {
  const GelsProblem& p = outcome.problem;
  Json json = {{"operation", "lstsq"},
               {"m", p.m},
               {"n", p.n},
               {"columns", p.nrhs},
               {"type", tilewright::to_string(p.type)},
               {"trans", options.trans},
               {"seconds", outcome.seconds},
               {"first_result_seconds", outcome.first_result_seconds},
               {"residual_norm", outcome.residual_norm},
               {"checked_columns", outcome.checked},
               {"backward_error", outcome.backward_error},
               {"verified", outcome.is_right()},
               {"output", outcome.is_right() ? Json(options.output.path) : Json()}};
  add_device(json, device);
  return json;
}

template <class T>
class LeastSquares {
  using Matrix = verification::QrMatrix<T>;

 public:
  LeastSquares(const LeastSquaresOptions& options, const NpyMatrix& a, const NpyMatrix& b)
      : options_(options), session_(options.device), layout_(layout_of(a)), b_(in_layout<T>(b, layout_)) {
    constexpr bool is_complex = detail::is_complex_host_type<T>;
    const Transpose adjoint = is_complex ? Transpose::conjugate_transpose : Transpose::yes;
    outcome_.problem = {.type = detail::HostType<T>::type,
                        .layout = layout_,
                        .trans = options.trans ? adjoint : Transpose::no,
                        .m = a.header.rows,
                        .n = a.header.columns,
                        .nrhs = b.header.columns};
    const GelsProblem& p = outcome_.problem;
    const double element = sizeof(T);
    session_.require_memory(element * static_cast<double>(std::max(p.m, p.n)) *
                            (2 * static_cast<double>(std::min(p.m, p.n)) + static_cast<double>(p.nrhs)));
    a_ = elements_as<T>(a);
  }

  int run() {
    const GelsProblem& p = outcome_.problem;
    const detail::Stopwatch start;
    solve(p, b_, outcome_.rows());
    outcome_.first_result_seconds = start.seconds();
    if (outcome_.info > 0)
      throw std::runtime_error(
          fmt::format("A lacks full rank: element ({0}, {0}) of R is exactly 0 (counted from 1); {1} was not written",
                      outcome_.info, options_.output.path));
    // The first call includes one-time work of the driver.
    const std::vector<T> solved = solve(p, b_, outcome_.rows());
    const std::vector<T> x = rearranged(solved, layout_, std::max(p.m, p.n), layout_, outcome_.columns(), p.nrhs);
    show_progress("verifying");
    check(x);
    clear_progress();
    if (outcome_.is_right())
      write_npy(options_.output.path, outcome_.columns(), p.nrhs,
                rearranged(x, layout_, outcome_.columns(), Layout::row_major, outcome_.columns(), p.nrhs));
    options_.output.print(options_.output.json ? json_line(to_json(outcome_, session_.device(), options_))
                                               : to_text(outcome_, session_.device(), options_));
    if (!outcome_.is_right())
      throw std::runtime_error(
          "the result is wrong, A nearly lacks full rank, or a matrix contains infinities or NaN; " +
          options_.output.path + " was not written");
    return 0;
  }

 private:
  // Solves for B of `rows` rows and returns the matrix that gels leaves in its place. Measures the time of the call
  // without copies.
  std::vector<T> solve(const GelsProblem& p, const std::vector<T>& b, std::uint64_t rows) {
    const std::uint64_t order = std::max(p.m, p.n);
    std::vector<T> stored(order * p.nrhs);
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < p.nrhs; ++j)
        stored[place_of(layout_, order, p.nrhs, i, j)] = b[place_of(layout_, rows, p.nrhs, i, j)];
    const Buffer of_a = session_.make_buffer(std::as_bytes(std::span(a_)));
    const Buffer of_b = session_.make_buffer(std::as_bytes(std::span(stored)));
    const Buffer info = session_.make_buffer(std::as_bytes(std::span(&outcome_.info, 1)));
    const detail::Stopwatch call;
    gels(session_.engine(), session_.queue(), p, {.a = {of_a.get()}, .b = {of_b.get()}, .info = {info.get()}}).wait();
    outcome_.seconds = call.seconds();
    session_.read(info.get(), std::as_writable_bytes(std::span(&outcome_.info, 1)));
    session_.read(of_b.get(), std::as_writable_bytes(std::span(stored)));
    return stored;
  }

  // Returns some columns of a matrix in higher precision.
  Matrix sample(const std::vector<T>& elements, std::uint64_t stored_rows, std::uint64_t rows) const {
    const std::uint64_t nrhs = outcome_.problem.nrhs, step = std::max<std::uint64_t>(1, nrhs / checked_columns);
    Matrix columns(rows, (nrhs + step - 1) / step);
    for (std::uint64_t j = 0; j < columns.columns; ++j)
      for (std::uint64_t i = 0; i < rows; ++i)
        columns(i, j) =
            static_cast<typename Matrix::Number>(elements[place_of(layout_, stored_rows, nrhs, i, j * step)]);
    return columns;
  }

  void check(const std::vector<T>& x) {
    const GelsProblem& p = outcome_.problem;
    const std::uint64_t rows = outcome_.rows(), columns = outcome_.columns();
    Matrix a(a_.data(), layout_, p.m, p.n, layout_ == Layout::row_major ? p.n : p.m);
    if (p.trans != Transpose::no) a = adjoint_of(a);
    const Matrix of_x = sample(x, columns, columns), of_b = sample(b_, rows, rows);
    const Matrix residual = difference_of(of_b, product_of(a, of_x));
    for (const auto& element : residual.elements) outcome_.residual_norm += static_cast<double>(std::norm(element));
    outcome_.residual_norm = std::sqrt(outcome_.residual_norm);
    outcome_.checked = of_b.columns;
    outcome_.backward_error =
        outcome_.is_wide() ? check_smallest_norm(a, of_x, residual, x) : least_squares_ratio(a, of_x, of_b);
  }

  // X has the smallest norm if it is op(A)^H Z for any Z, which another call finds.
  double check_smallest_norm(const Matrix& a, const Matrix& of_x, const Matrix& residual, const std::vector<T>& x) {
    GelsProblem adjoint = outcome_.problem;
    const Transpose other = detail::is_complex_host_type<T> ? Transpose::conjugate_transpose : Transpose::yes;
    adjoint.trans = adjoint.trans == Transpose::no ? other : Transpose::no;
    const double seconds = outcome_.seconds;
    const std::vector<T> solved = solve(adjoint, x, outcome_.columns());
    outcome_.seconds = seconds;
    const Matrix z = sample(solved, outcome_.columns(), outcome_.rows()), across = adjoint_of(a);
    const Matrix outside = difference_of(of_x, product_of(across, z));
    const auto order = static_cast<double>(outcome_.columns());
    const double unit = order * std::numeric_limits<detail::Part<T>>::epsilon() / 2;
    const auto ratio = [&](double error, double size) { return error == 0 ? 0 : error / (unit * size); };
    const auto norm = [](const Matrix& matrix) { return static_cast<double>(norm_of(matrix)); };
    const double of_equations = ratio(norm(residual), norm(a) * norm(of_x)),
                 of_norm = ratio(norm(outside), norm(across) * norm(z) + norm(of_x));
    return std::isnan(of_equations) || of_equations > of_norm ? of_equations : of_norm;  // NaN if one of them is
  }

  const LeastSquaresOptions& options_;
  Session session_;
  Layout layout_;
  std::vector<T> a_, b_;
  LeastSquaresOutcome outcome_;
};

// Returns the type of the arithmetic. Without --type it follows the files' types; f32 cannot hold i32.
DataType type_of(const LeastSquaresOptions& options, const NpyMatrix& a, const NpyMatrix& b) {
  if (options.type.empty()) {
    const DataType common = common_type(a.header.type, b.header.type);
    if (is_complex(common)) return common;
    return common == DataType::f64 || common == DataType::i32 ? DataType::f64 : DataType::f32;
  }
  const DataType type = parse_type(options.type);
  if ((is_complex(a.header.type) || is_complex(b.header.type)) && !is_complex(type))
    throw UsageError(fmt::format("a matrix is complex, but the type is {}; use --type c64 or c128", options.type));
  return type;
}

int run(const LeastSquaresOptions& options) {
  options.output.check({options.a, options.b});
  const NpyMatrix a = read_dense_file(options.a), b = read_dense_file(options.b);
  const std::uint64_t rows = options.trans ? a.header.columns : a.header.rows;
  if (b.header.rows != rows)
    throw std::runtime_error(
        fmt::format("{} is {} x {} but B is {} x {}: they must have as many rows", options.trans ? "op(A)" : "A", rows,
                    options.trans ? a.header.rows : a.header.columns, b.header.rows, b.header.columns));
  switch (type_of(options, a, b)) {
    case DataType::f64:
      return LeastSquares<double>(options, a, b).run();
    case DataType::c64:
      return LeastSquares<std::complex<float>>(options, a, b).run();
    case DataType::c128:
      return LeastSquares<std::complex<double>>(options, a, b).run();
    default:
      return LeastSquares<float>(options, a, b).run();
  }
}

}  // namespace

void add_lstsq_command(CLI::App& app, Action& action) {
  CLI::App* const command = app.add_subcommand(
      "lstsq", "Minimise |B - op(A) X|, or find the solution of smallest norm, and verify the result");
  const auto options = std::make_shared<LeastSquaresOptions>();
  command->add_option("A", options->a, std::string("matrix of full rank: ") + dense_files_help)->required();
  command->add_option("B", options->b, std::string("right-hand sides, one per column: ") + dense_files_help)
      ->required();
  options->output.add_to(*command);
  command->add_flag("--trans", options->trans, "use A^T, or A^H if A is complex");
  command
      ->add_option("--type", options->type,
                   "arithmetic: f32, f64, c64 or c128; default: that of the files, f64 for i32 elements")
      ->check(one_of("type", {"f32", "f64", "c64", "c128"}));
  add_device_option(*command, options->device);
  command->footer(
      "If op(A) has more rows than columns, X minimises the 2-norm of each column of B - op(A) X. Otherwise X is the\n"
      "solution whose columns have the smallest 2-norms. A is factored by QR, so its rank must be full.\n"
      "Example:\n  tilewright lstsq A.npy B.npy -o X.npy");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace tilewright::tool
