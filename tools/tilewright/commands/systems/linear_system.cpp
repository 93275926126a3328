#include "commands/systems/linear_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "commands/products/multiply_options.hpp"
#include "files/matrix_file.hpp"
#include "files/storage_order.hpp"
#include "kernels/host_type.hpp"
#include "options/option_values.hpp"
#include "options/shape.hpp"
#include "runtime/system/stopwatch.hpp"
#include "session.hpp"
#include "text/format.hpp"
#include "text/json_output.hpp"
#include "text/progress.hpp"
#include "text/table.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/lu.hpp"
#include "usage_error.hpp"
#include "verification/lu/lu_residuals.hpp"

namespace tilewright::tool {
namespace {

struct Outcome {
  DataType type{};
  std::uint64_t n = 0, nrhs = 0;
  double first_result_seconds = 0;
  double seconds = 0;
  double residual = 0;
  std::int64_t info = 0;
  std::int64_t iterations = 0;  // with --mixed; -1: f64 fallback

  bool is_right() const { return residual < verification::lu_threshold; }
};

const char* name_of(const LinearSystemOptions& options) { return options.b.empty() ? "inverse" : "solve"; }

std::string to_text(const Outcome& outcome, const Device& device, const LinearSystemOptions& options) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value, Style style = Style::plain) {
    text += format_field(name, value, options.output.page(), style);
  };
  add("device", device.index() + "  " + device.profile.name);
  add("A", fmt::format("{0} x {0}, {1}", outcome.n, tilewright::to_string(outcome.type)));
  if (options.mixed)
    add("mixed", outcome.iterations < 0
                     ? std::string("f32 factors do not suffice: A is ill-conditioned or badly scaled; solved in f64")
                     : fmt::format("f32 factors, {} refinements in f64", outcome.iterations));
  add("first result", format_seconds(outcome.first_result_seconds) + "  including compilation and copies");
  add("time", format_seconds(outcome.seconds));
  add("residual", format_number(outcome.residual) + " n u |A| |X|" + (outcome.is_right() ? "  verified" : "  WRONG"),
      outcome.is_right() ? Style::good : Style::bad);
  if (outcome.is_right()) add("output", fmt::format("{}  {} x {}", options.output.path, outcome.n, outcome.nrhs));
  return text;
}

Json to_json(const Outcome& outcome, const Device& device, const LinearSystemOptions& options) {
  Json json = {{"operation", name_of(options)},
               {"n", outcome.n},
               {"columns", outcome.nrhs},
               {"type", tilewright::to_string(outcome.type)},
               {"trans", options.trans},
               {"factorisation", options.spd ? "cholesky" : "lu"},
               {"seconds", outcome.seconds},
               {"first_result_seconds", outcome.first_result_seconds},
               {"residual", outcome.residual},
               {"verified", outcome.is_right()},
               {"output", outcome.is_right() ? Json(options.output.path) : Json()}};
  if (options.mixed) {
    json["iterations"] = outcome.iterations;
    json["fell_back"] = outcome.iterations < 0;
  }
  add_device(json, device);
  return json;
}

template <class T>
class System {
 public:
  System(const LinearSystemOptions& options, const NpyMatrix& a, const NpyMatrix* b)
      : options_(options), session_(options.device), layout_(layout_of(a)) {
    outcome_.type = detail::HostType<T>::type;
    outcome_.n = a.header.rows;
    outcome_.nrhs = b != nullptr ? b->header.columns : outcome_.n;
    const double element = sizeof(T), n = static_cast<double>(outcome_.n);
    session_.require_memory(element * n * (n + static_cast<double>(outcome_.nrhs)));
    a_ = elements_as<T>(a);
    if (options.spd) require_symmetry();
    if (b != nullptr) b_ = in_layout<T>(*b, layout_);
    x_.resize(static_cast<std::size_t>(outcome_.n * outcome_.nrhs));
  }

  int run() {
    const detail::Stopwatch start;
    solve();
    outcome_.first_result_seconds = start.seconds();
    if (outcome_.info > 0 && options_.spd)
      throw std::runtime_error(
          fmt::format("A is not positive definite: its leading minor of order {} is not positive; {} was not written. "
                      "Leave --spd out to factor A by LU",
                      outcome_.info, options_.output.path));
    if (outcome_.info > 0)
      throw std::runtime_error(
          fmt::format("A is singular: element ({0}, {0}) of U is exactly 0 (counted from 1); {1} was not written",
                      outcome_.info, options_.output.path));
    // The first call includes one-time work of the driver.
    solve();
    show_progress("verifying");
    check();
    clear_progress();
    if (outcome_.is_right())
      write_npy(options_.output.path, outcome_.n, outcome_.nrhs,
                rearranged(x_, layout_, outcome_.n, Layout::row_major, outcome_.n, outcome_.nrhs));
    options_.output.print(options_.output.json ? json_line(to_json(outcome_, session_.device(), options_))
                                               : to_text(outcome_, session_.device(), options_));
    if (!outcome_.is_right())
      throw std::runtime_error("the result is wrong, or A contains infinities or NaN; " + options_.output.path +
                               " was not written");
    return 0;
  }

 private:
  // Only one triangle of A is read, so the other one must say the same.
  void require_symmetry() const {
    const std::size_t n = outcome_.n;
    const auto element = [&](std::size_t i, std::size_t j) { return a_[place_of(layout_, n, n, i, j)]; };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!(element(i, j) == element(j, i)))
          throw std::runtime_error(
              fmt::format("A is not symmetric: element ({0}, {1}) is {2}, but element ({1}, {0}) is {3} (counted from "
                          "1); leave --spd out",
                          i + 1, j + 1, element(i, j), element(j, i)));
  }

  // Measures the time of the factorisation and the solution, without copies.
  void solve() {
    const bool inverts = options_.b.empty();
    const std::vector<std::int64_t> pivots(static_cast<std::size_t>(outcome_.n));
    const Buffer a = session_.make_buffer(std::as_bytes(std::span(a_)));
    const Buffer b = session_.make_buffer(std::as_bytes(std::span(inverts ? x_ : b_)));
    const Buffer device_pivots = session_.make_buffer(std::as_bytes(std::span(pivots)));
    const Buffer info = session_.make_buffer(std::as_bytes(std::span(&outcome_.info, 1)));
    const Buffer iterations = session_.make_buffer(std::as_bytes(std::span(&outcome_.iterations, 1)));
    const MatrixRef of_a{a.get()}, of_b{b.get()}, of_pivots{device_pivots.get()}, of_info{info.get()};
    const Engine& engine = session_.engine();
    const cl_command_queue queue = session_.queue();
    const detail::Stopwatch call;
    if (options_.spd) {
      posv(engine, queue, {.type = outcome_.type, .layout = layout_, .n = outcome_.n, .nrhs = outcome_.nrhs},
           {.a = of_a, .b = of_b, .info = of_info})
          .wait();
    }
    if (options_.mixed) {
      gesv(engine, queue,
           {.type = outcome_.type,
            .layout = layout_,
            .n = outcome_.n,
            .nrhs = outcome_.nrhs,
            .refinements = default_refinements},
           {.a = of_a, .pivots = of_pivots, .info = of_info, .b = of_b, .iterations = {iterations.get()}})
          .wait();
      session_.read(iterations.get(), std::as_writable_bytes(std::span(&outcome_.iterations, 1)));
    }
    if (!options_.spd && (!options_.mixed || outcome_.iterations < 0)) {
      getrf(engine, queue, {.type = outcome_.type, .layout = layout_, .m = outcome_.n, .n = outcome_.n},
            {.a = of_a, .pivots = of_pivots, .info = of_info, .event = false});
      if (inverts)
        getri(engine, queue, {.type = outcome_.type, .layout = layout_, .n = outcome_.n},
              {.a = of_a, .pivots = of_pivots, .b = of_b})
            .wait();
      else
        getrs(engine, queue,
              {.type = outcome_.type,
               .layout = layout_,
               .trans = options_.trans ? Transpose::yes : Transpose::no,
               .n = outcome_.n,
               .nrhs = outcome_.nrhs},
              {.a = of_a, .pivots = of_pivots, .b = of_b})
            .wait();
    }
    outcome_.seconds = call.seconds();
    session_.read(info.get(), std::as_writable_bytes(std::span(&outcome_.info, 1)));
    session_.read(b.get(), std::as_writable_bytes(std::span(x_)));
  }

  verification::LuMatrix<T> view(const std::vector<T>& elements, std::uint64_t columns,
                                 Transpose trans = Transpose::no) const {
    return {elements.data(), layout_, outcome_.n, columns, layout_ == Layout::row_major ? columns : outcome_.n, trans};
  }

  void check() {
    const auto a = view(a_, outcome_.n, options_.trans ? Transpose::yes : Transpose::no), x = view(x_, outcome_.nrhs),
               b = view(b_, outcome_.nrhs);
    const std::uint64_t step = std::max<std::uint64_t>(1, outcome_.nrhs / checked_columns);
    for (std::uint64_t first = 0; first < outcome_.nrhs; first += step) {
      const double residual = verification::system_residual(a, x, options_.b.empty() ? nullptr : &b, first, 1);
      if (!(residual <= outcome_.residual)) outcome_.residual = residual;
    }
  }

  const LinearSystemOptions& options_;
  Session session_;
  Layout layout_;
  std::vector<T> a_, b_, x_;
  Outcome outcome_;
};

// Returns the type of the arithmetic. Without --type it follows the files' types; f32 cannot hold i32.
DataType type_of(const LinearSystemOptions& options, const NpyMatrix& a, const std::optional<NpyMatrix>& b) {
  for (const NpyMatrix* const matrix : {&a, b ? &*b : nullptr})
    if (matrix != nullptr && is_complex(matrix->header.type))
      throw UsageError(fmt::format("{}: the elements are {}; systems of equations are solved in f32 and f64 only",
                                   matrix->path, tilewright::to_string(matrix->header.type)));
  if (options.mixed) {
    if (!options.type.empty() && parse_type(options.type) != DataType::f64)
      throw UsageError("--mixed is for --type f64 (its factors are f32); leave --type out");
    return DataType::f64;
  }
  if (!options.type.empty()) return parse_type(options.type);
  const DataType common = b ? common_type(a.header.type, b->header.type) : a.header.type;
  return common == DataType::f64 || common == DataType::i32 ? DataType::f64 : DataType::f32;
}

}  // namespace

int solve_linear_system(const LinearSystemOptions& options) {
  options.output.check({options.a, options.b});
  const NpyMatrix a = read_dense_file(options.a);
  std::optional<NpyMatrix> b;
  if (!options.b.empty()) b = read_dense_file(options.b);
  if (a.header.rows != a.header.columns)
    throw std::runtime_error(
        fmt::format("A is {} x {}, but must have as many rows as columns", a.header.rows, a.header.columns));
  if (b && b->header.rows != a.header.rows)
    throw std::runtime_error(fmt::format("A is {0} x {0} but B is {1} x {2}: they must have as many rows",
                                         a.header.rows, b->header.rows, b->header.columns));
  const DataType type = type_of(options, a, b);
  if (type == DataType::f64) return System<double>(options, a, b ? &*b : nullptr).run();
  if (type == DataType::f32) return System<float>(options, a, b ? &*b : nullptr).run();
  throw UsageError(fmt::format("--type {}: systems of equations are solved in f32 and f64 only", options.type));
}

}  // namespace tilewright::tool
