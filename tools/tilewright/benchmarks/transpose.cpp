// Transpositions.
#include "tilewright/transpose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/explanation.hpp"
#include "benchmarks/memory_bound.hpp"
#include "benchmarks/rows.hpp"
#include "compare/references.hpp"
#include "compare/transposition.hpp"
#include "files/shapes_file.hpp"
#include "kernels/host_type.hpp"
#include "options/shape.hpp"
#include "text/format.hpp"
#include "usage_error.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::tool {
namespace {

/// The matrices of one measurement, on the host and on the device.
class Matrices {
 public:
  Matrices(const Session& session, const TransposeProblem& problem)
      : session_(session), problem_(problem), a_(bytes_of(session, problem)), b_(a_.size()) {
    detail::with_real_host_type(problem.type.number().value_or(DataType::f32), [&]<class T>(std::type_identity<T>) {
      verification::fill_random(std::span(reinterpret_cast<T*>(a_.data()), a_.size() / sizeof(T)),
                                verification::DataKind::uniform, 1);
    });
    device_a_ = session.make_buffer(a_);
    device_b_ = session.make_buffer(b_);
  }

  Contender contender(const TransposeProblem& problem, const Choice& choice) {
    const auto plan = std::make_shared<const TransposePlan>(session_.engine(), problem, choice);
    const auto run = [this, plan, in_place = problem.in_place](unsigned calls) {
      TransposeOperands operands{.a = {device_a_.get()}};
      if (!in_place) operands.b = {device_b_.get()};
      enqueue_all(calls, [&](bool event) {
        operands.event = event;
        return plan->enqueue(session_.queue(), operands);
      });
    };
    const auto check = [this] {
      session_.read(problem_.in_place ? device_a_.get() : device_b_.get(), b_);
      return check_host();
    };
    return {.run = run,
            .check = check,
            .variant = plan->explanation().variant,
            .configuration = tilewright::to_string(plan->explanation().configuration)};
  }

  /// Returns a library's contender; nothing if it has no such transposition.
  std::optional<Contender> reference(const std::string& name) {
    const auto call = name == "openblas" && !problem_.in_place ? openblas_transposition(problem_, a_.data(), b_.data())
                                                               : std::function<void()>();
    if (!call) return {};
    return Contender{.run = repeat(call), .check = [this] { return check_host(); }, .settle = let_openblas_sleep};
  }

  /// Returns two ways to copy as many bytes.
  std::vector<Timed> copies() {
    TransposeProblem copy = problem_;
    copy.trans = Transpose::no;
    copy.in_place = false;
    return {buffer_copy(session_, device_a_.get(), device_b_.get(), a_.size()),
            {"row_copy", contender(copy, {}).run, {}}};
  }

  double moved_bytes() const { return 2 * static_cast<double>(a_.size()); }

  void reset() {
    session_.write(device_a_.get(), a_);
    std::fill(b_.begin(), b_.end(), std::byte{0xA5});
    if (!problem_.in_place) session_.write(device_b_.get(), b_);
  }

 private:
  static std::size_t bytes_of(const Session& session, const TransposeProblem& problem) {
    const double bytes =
        static_cast<double>(problem.m) * static_cast<double>(problem.n) * static_cast<double>(problem.type.bytes());
    session.require_memory(bytes, 2);
    return static_cast<std::size_t>(problem.m * problem.n * problem.type.bytes());
  }

  Verdict check_host() const { return {.wrong = wrong_transposition(problem_, 1, a_, b_)}; }

  const Session& session_;
  TransposeProblem problem_;
  std::vector<std::byte> a_;
  std::vector<std::byte> b_;
  Buffer device_a_;
  Buffer device_b_;
};

Json fields_of(const TransposeProblem& problem) {
  return {{"operation", "transpose"},
          {"m", problem.m},
          {"n", problem.n},
          {"type", tilewright::to_string(problem.type)},
          {"in_place", problem.in_place}};
}

/// Speeds of a problem's contenders.
struct TransposeSpeeds {
  const Contest& contest;
  double bytes;
  double copy_seconds;  ///< of the faster copy

  Json json(const TransposeProblem& problem, const Entrant& entrant, const Device& device) const {
    Json json = fields_of(problem);
    json["variant"] = entrant.contender.variant;
    json["configuration"] = entrant.contender.configuration;
    json["seconds"] = if_measured(entrant, entrant.seconds);
    json["gigabytes_per_second"] = if_measured(entrant, bytes / entrant.seconds * 1e-9);
    json["of_copy_speed"] = if_measured(entrant, copy_seconds / entrant.seconds);
    json["copy_seconds"] = copy_seconds;
    json["first_call_seconds"] = if_measured(entrant, entrant.first_call_seconds);
    json["verified"] = entrant.verified();
    json["note"] = entrant.note.empty() ? Json() : Json(entrant.note);
    json["against"] = Json::object();
    for (const Entrant& reference : contest.references)
      if (reference.measured()) json["against"][reference.name] = reference.seconds;
    add_device(json, device);
    return json;
  }

  std::vector<Cell> cells(const Entrant& entrant) const {
    if (!entrant.measured()) {
      std::vector<Cell> row{{entrant.contender.variant, Style::faint}};
      row.resize(row.size() + 5 + contest.references.size(), Cell("-"));
      row.emplace_back(entrant.note);
      return row;
    }
    std::vector<Cell> row{entrant.contender.variant,
                          format_seconds(entrant.seconds),
                          format_number(bytes / entrant.seconds * 1e-9),
                          fmt::format("{:.2f}", copy_seconds / entrant.seconds),
                          format_seconds(entrant.first_call_seconds),
                          verified_cell(entrant)};
    add_ratios(row, entrant, contest.references);
    row.emplace_back(entrant.contender.configuration);
    return row;
  }
};

std::vector<Column> columns_of(const BenchmarkOptions& options) {
  std::vector<Column> columns{{"variant", false, false, 17},  {"time", true, false, 8},
                              {"GB/s", true, false, 7},       {"of copy", true, false, 7},
                              {"first call", true, true, 10}, {"verified", true, false, 8}};
  add_reference_columns(columns, options.against);
  columns.push_back({"configuration", false, true, 60});
  return columns;
}

BenchmarkResult measure(const Session& session, const TransposeProblem& problem, const std::vector<Choice>& choices,
                        const BenchmarkOptions& options) {
  Matrices matrices(session, problem);
  Contest contest(session.engine(), to_string(problem), [&] { matrices.reset(); });
  for (const Choice& choice : choices) {
    const Support support = choice.variant.empty()
                                ? Support{true, {}}
                                : transpose_support(session.device().profile, choice.variant, problem);
    if (support.supported)
      contest.add(choice.variant, [&] { return matrices.contender(problem, choice); });
    else
      contest.own.push_back(skipped(choice, support.reason));
  }
  for (const std::string& name : options.against) contest.add_reference_if(name, matrices.reference(name));
  const std::vector<double> copies = contest.time({.runs = options.runs}, matrices.copies());

  const TransposeSpeeds speeds{contest, matrices.moved_bytes(), std::min(copies[0], copies[1])};
  BenchmarkResult result{.failures = contest.failures("{} is wrong: {}")};
  for (const Entrant& entrant : contest.own)
    result.rows.push_back({.cells = speeds.cells(entrant),
                           .json = speeds.json(problem, entrant, session.device()),
                           .seconds = entrant.verified() ? entrant.seconds : 0});
  result.heading = fmt::format("device {}  {}\nB = A^T, {}, row-major; a copy of as many bytes takes {}\n\n",
                               session.device().index(), session.device().profile.name, to_string(problem),
                               format_seconds(speeds.copy_seconds));
  return result;
}

BenchmarkPlan bench_transpose(const BenchmarkOptions& options) {
  if (options.packed_b || options.summary)
    throw UsageError("--packed-b and --summary are not for --op transpose; leave them out");
  check_no_names(options);
  const Choice choice = options.forced.choice(transpose_variants());
  check_references(options.against);
  std::vector<TransposeProblem> problems;
  for (const std::string& shape : options.shapes)
    problems.push_back(options.operation.transposition(options.product, shape));
  if (!options.shapes_file.empty())
    for (const TransposeProblem& problem :
         read_matrix_shapes(options.shapes_file, options.operation.transposition(options.product)))
      problems.push_back(problem);
  if (problems.empty()) throw UsageError("nothing to measure: give --shape or --shapes");
  BenchmarkPlan plan{.columns = columns_of(options)};
  plan.columns.insert(plan.columns.begin(), {"matrix", false, false, 26});
  for (const TransposeProblem& problem : problems)
    plan.problems.push_back({to_string(problem), [&options, choice, problem](const Session& session) {
                               BenchmarkResult result = measure(session, problem, {choice}, options);
                               std::vector<Cell>& cells = result.rows.front().cells;
                               cells.insert(cells.begin(), to_string(problem));
                               return result;
                             }});
  return plan;
}

BenchmarkPlan ladder_transpose(const BenchmarkOptions& options) {
  check_references(options.against);
  const std::string square = fmt::format("{0}x{0}", options.size);
  const TransposeProblem problem =
      options.operation.transposition(options.product, options.shapes.empty() ? square : options.shapes.front());
  const std::vector<Choice> choices = choices_of(pick_variants(transpose_variants(), options.variants));
  return {.columns = columns_of(options),
          .problems = {{to_string(problem), [&options, choices, problem](const Session& session) {
                          return measure(session, problem, choices, options);
                        }}}};
}

void explain_transposition(const BenchmarkOptions& options) {
  const TransposeProblem problem = options.operation.transposition(options.product, single_shape(options));
  const Choice forced = options.forced.choice(transpose_variants());
  const Device device = pick_device(options.product.device);
  show_explanation(device, "matrix", to_string(problem), fields_of(problem),
                   explain_transpose(device.profile, problem, forced), options.json);
}

}  // namespace

const Benchmark transpose_benchmark{"transpose", bench_transpose, ladder_transpose, explain_transposition};

}  // namespace tilewright::tool
