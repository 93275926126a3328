// Products of sparse and dense matrices.
#include "tilewright/spmm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include "benchmarks/benchmark.hpp"
#include "benchmarks/explanation.hpp"
#include "benchmarks/rows.hpp"
#include "compare/openmp_product.hpp"
#include "files/input.hpp"
#include "files/matrix_file.hpp"
#include "files/shapes_file.hpp"
#include "files/sparse_matrix.hpp"
#include "options/shape.hpp"
#include "text/format.hpp"
#include "text/text.hpp"
#include "tilewright/error.hpp"
#include "usage_error.hpp"
#include "verification/common/random_data.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {
namespace {

/// A matrix from a file, used for products with several numbers of columns.
struct SparseInput {
  std::string path;
  Triplets matrix;
};

/// The matrices of one measurement, on the host and on the device.
template <class T>
class SparseProduct {
 public:
  SparseProduct(const Session& session, const SparseInput& input, const SpmmProblem& problem)
      : session_(session), problem_(problem) {
    session.require_memory(device_bytes_of(problem));
    require_host_memory(input.path, bytes_of(problem), "the product");
    host_ = by_rows<T>(input.matrix, false, input.path);
    b_ = verification::random_data<T>(problem.k * problem.n, verification::DataKind::uniform, 1);
    c_.resize(problem.m * problem.n);
    sparse_.emplace(session, host_);
    device_b_ = session.make_buffer(std::as_bytes(std::span(b_)));
    device_c_ = session.make_buffer(std::as_bytes(std::span(c_)));
  }

  Contender contender(const Choice& choice, RowStatistics& statistics) {
    const auto plan = std::make_shared<const SpmmPlan>(session_.engine(), problem_, sparse_->structure(), choice);
    statistics = plan->statistics();
    const auto run = [this, plan](unsigned calls) {
      SpmmOperands operands{.values = sparse_->values(), .b = {device_b_.get()}, .c = {device_c_.get()}};
      enqueue_all(calls, [&](bool event) {
        operands.event = event;
        return plan->enqueue(session_.queue(), operands);
      });
    };
    const Explanation& explanation = plan->explanation();
    return {.run = run,
            .check = [this] { return check_device(); },
            .variant = explanation.variant,
            .configuration = tilewright::to_string(explanation.configuration),
            .reason = explanation.reason};
  }

  /// Returns plain loops on the host, the second one with OpenMP if this build has it.
  std::vector<Timed> host_loops() {
    std::vector<Timed> loops{
        {"the host's loop",
         repeat([this] { verification::multiply_on_host(host_, problem_.n, b_.data(), c_.data()); }),
         {}}};
    if (openmp_threads() > 0)
      loops.push_back({"OpenMP's loop",
                       repeat([product = std::make_shared<const OpenmpProduct<T>>(host_, problem_.n, b_.data(),
                                                                                  c_.data())] { product->multiply(); }),
                       // OpenMP's threads spin for a while after a loop, on cores that the next call may need.
                       [] { std::this_thread::sleep_for(std::chrono::milliseconds(250)); }});
    return loops;
  }

  void poison() {
    std::fill(c_.begin(), c_.end(), std::numeric_limits<T>::quiet_NaN());
    session_.write(device_c_.get(), std::as_bytes(std::span(c_)));
  }

 private:
  Verdict check_device() {
    session_.read(device_c_.get(), std::as_writable_bytes(std::span(c_)));
    const verification::SpmmComparison worst =
        compare(verification::HostSpmm<T>{.a = host_, .n = problem_.n, .b = b_.data()}, c_.data());
    Verdict verdict{.error_over_bound = worst.error_over_bound};
    if (!worst.passed())
      verdict.wrong = fmt::format("row {}, column {} is {}, expected {}: {} times the error bound", worst.row,
                                  worst.column, worst.result, worst.expected, worst.error_over_bound);
    return verdict;
  }

  const Session& session_;
  SpmmProblem problem_;
  verification::HostCsr<T> host_;
  std::vector<T> b_, c_;
  std::optional<DeviceCsr<T>> sparse_;
  Buffer device_b_, device_c_;
};

Json fields_of(const std::string& path, const SpmmProblem& problem, const RowStatistics& statistics) {
  return {{"operation", "spmm"},
          {"file", path},
          {"m", problem.m},
          {"k", problem.k},
          {"n", problem.n},
          {"nonzeros", problem.nonzeros},
          {"type", tilewright::to_string(problem.type)},
          {"rows",
           {{"mean", statistics.mean},
            {"deviation", statistics.deviation},
            {"longest", statistics.longest},
            {"empty", statistics.empty_rows},
            {"spread", statistics.spread}}}};
}

std::string heading_of(const std::string& path, const SpmmProblem& problem, const RowStatistics& statistics) {
  const Page& page = output_page();
  return format_field("A", fmt::format("{}  {}", path, to_string(problem)), page) +
         format_field("rows", to_string(statistics), page) +
         format_field("B", fmt::format("{} x {}", problem.k, problem.n), page);
}

const std::vector<Column> run_columns{{"variant", false, false, 17},    {"time", true, false, 8},
                                      {"GFLOP/s", true, false, 7},      {"GB/s", true, false, 7},
                                      {"x host loop", true, false, 11}, {"x OpenMP", true, false, 8},
                                      {"first call", true, true, 10},   {"error/bound", true, true, 11},
                                      {"verified", true, false, 8},     {"configuration", false, true, 60}};

/// Speeds of a product's contenders.
struct SparseSpeeds {
  const std::string& path;
  const SpmmProblem& problem;
  RowStatistics statistics{};
  double host_seconds = 0;    ///< plain loop on the host, one thread per core
  double openmp_seconds = 0;  ///< 0 if this build lacks OpenMP

  Json json(const Entrant& entrant, const Device& device) const {
    Json json = fields_of(path, problem, statistics);
    json["variant"] = entrant.contender.variant;
    json["configuration"] = entrant.contender.configuration;
    json["seconds"] = if_measured(entrant, entrant.seconds);
    json["gflops"] = if_measured(entrant, flops_of(problem) / entrant.seconds * 1e-9);
    json["gigabytes_per_second"] = if_measured(entrant, bytes_of(problem) / entrant.seconds * 1e-9);
    json["first_call_seconds"] = if_measured(entrant, entrant.first_call_seconds);
    json["error_over_bound"] = if_measured(entrant, entrant.verdict.error_over_bound);
    json["verified"] = entrant.verified();
    json["reason"] = entrant.contender.reason;
    json["host_seconds"] = host_seconds;
    json["openmp_threads"] = openmp_threads() > 0 ? Json(openmp_threads()) : Json();
    json["openmp_seconds"] = openmp_threads() > 0 ? Json(openmp_seconds) : Json();
    json["note"] = entrant.note.empty() ? Json() : Json(entrant.note);
    add_device(json, device);
    return json;
  }

  std::vector<Cell> cells(const Entrant& entrant) const {
    if (!entrant.measured()) {
      std::vector<Cell> row{{entrant.contender.variant, Style::faint}};
      row.resize(run_columns.size() - 1, Cell("-"));
      row.emplace_back(entrant.note);
      return row;
    }
    std::vector<Cell> row{entrant.contender.variant, format_seconds(entrant.seconds),
                          format_number(flops_of(problem) / entrant.seconds * 1e-9),
                          format_number(bytes_of(problem) / entrant.seconds * 1e-9)};
    add_ratio(row, entrant, host_seconds);
    add_ratio(row, entrant, openmp_seconds);
    row.emplace_back(format_seconds(entrant.first_call_seconds));
    row.emplace_back(format_number(entrant.verdict.error_over_bound));
    row.emplace_back(verified_cell(entrant));
    row.emplace_back(entrant.contender.configuration);
    return row;
  }

  std::string heading(const Device& device) const {
    return fmt::format("device {}  {}\n{}the host's loop takes {}, OpenMP's {}\n\n", device.index(),
                       device.profile.name, heading_of(path, problem, statistics), format_seconds(host_seconds),
                       openmp_threads() > 0 ? format_seconds(openmp_seconds) : "is not in this build");
  }
};

template <class T>
BenchmarkResult measure_as(const Session& session, const SparseInput& input, const SpmmProblem& problem,
                           const std::vector<Choice>& choices, unsigned runs) {
  SparseProduct<T> product(session, input, problem);
  SparseSpeeds speeds{input.path, problem};
  Contest contest(session.engine(), fmt::format("{}, {} columns", to_string(problem), problem.n),
                  [&] { product.poison(); });
  for (const Choice& choice : choices) try {
      contest.add(choice.variant, [&] { return product.contender(choice, speeds.statistics); });
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported_variant || choice.variant.empty()) throw;
      contest.own.back() = skipped(choice, error.what());
    }
  const std::vector<double> loops = contest.time({.runs = runs}, product.host_loops());
  speeds.host_seconds = loops.front();
  if (loops.size() > 1) speeds.openmp_seconds = loops.back();

  BenchmarkResult result{.failures = contest.failures("{} is wrong: {}"), .heading = speeds.heading(session.device())};
  for (const Entrant& entrant : contest.own)
    result.rows.push_back(
        {speeds.cells(entrant), speeds.json(entrant, session.device()), entrant.verified() ? entrant.seconds : 0});
  return result;
}

BenchmarkResult measure(const Session& session, const SparseInput& input, DataType type, std::uint64_t n,
                        const std::vector<Choice>& choices, unsigned runs) {
  const SpmmProblem problem = spmm_problem(input.matrix, type, n);
  return type == DataType::f64 ? measure_as<double>(session, input, problem, choices, runs)
                               : measure_as<float>(session, input, problem, choices, runs);
}

std::string label_of(const std::string& path, std::uint64_t n) {
  return fmt::format("{}, {}", path, count_of(n, "column"));
}

/// Returns the element type of the products. Throws UsageError.
DataType checked_type(const BenchmarkOptions& options) {
  if (!options.shapes.empty() && !options.shapes.front().empty())
    throw UsageError("--op spmm takes files of matrices and --columns instead of --shape");
  if (!options.against.empty())
    throw UsageError("--op spmm is compared with plain loops on the host, not with libraries; leave out --against");
  return options.operation.sparse_type(options.product);
}

/// Returns the shapes of the table, then each file with each number of columns.
std::vector<SparseShape> shapes_of(const BenchmarkOptions& options, DataType type) {
  std::vector<SparseShape> shapes;
  if (!options.shapes_file.empty()) shapes = read_sparse_shapes(options.shapes_file, type);
  const auto& files = shapes.empty() ? options.operation.named_files() : options.operation.files;
  for (const std::string& path : files)
    for (const std::uint64_t n : options.operation.columns.empty() ? default_columns : options.operation.columns)
      shapes.push_back({path, n, type});
  return shapes;
}

/// Returns the number of columns of a command that takes one file and one number.
std::uint64_t single_columns(const BenchmarkOptions& options) {
  if (options.operation.named_files().size() > 1 || options.operation.columns.size() > 1)
    throw UsageError("one file and one number of --columns are expected; use bench for several");
  return options.operation.columns.empty() ? 32 : options.operation.columns.front();
}

BenchmarkPlan bench_spmm(const BenchmarkOptions& options) {
  if (options.packed_b || options.summary)
    throw UsageError("--packed-b and --summary are not for --op spmm; leave them out");
  check_no_names(options);
  const DataType type = checked_type(options);
  const Choice choice = options.forced.choice(spmm_variants());
  BenchmarkPlan plan{.columns = run_columns};
  plan.columns.insert(plan.columns.begin(), {{"matrix", false, false, 24}, {"columns", true, false, 7}});
  const auto input = std::make_shared<SparseInput>();
  for (const SparseShape& shape : shapes_of(options, type))
    plan.problems.push_back({label_of(shape.file, shape.n), [&options, shape, choice, input](const Session& session) {
                               if (input->path != shape.file) *input = {shape.file, read_sparse_file(shape.file)};
                               BenchmarkResult result =
                                   measure(session, *input, shape.type, shape.n, {choice}, options.runs);
                               std::vector<Cell>& cells = result.rows.front().cells;
                               cells.insert(cells.begin(), {Cell(shape.file), Cell(fmt::to_string(shape.n))});
                               return result;
                             }});
  return plan;
}

BenchmarkPlan ladder_spmm(const BenchmarkOptions& options) {
  const DataType type = checked_type(options);
  const std::uint64_t n = single_columns(options);
  const std::vector<Choice> choices = choices_of(pick_variants(spmm_variants(), options.variants));
  const std::string& path = options.operation.files.front();
  const auto input = std::make_shared<const SparseInput>(SparseInput{path, read_sparse_file(path)});
  return {.columns = run_columns,
          .problems = {{label_of(path, n), [&options, input, type, n, choices](const Session& session) {
                          return measure(session, *input, type, n, choices, options.runs);
                        }}}};
}

void explain_sparse_choice(const BenchmarkOptions& options) {
  const DataType type = checked_type(options);
  const std::uint64_t n = single_columns(options);
  const Choice choice = options.forced.choice(spmm_variants());
  const std::string& path = options.operation.files.front();
  const Triplets matrix = read_sparse_file(path);
  const Device device = pick_device(options.product.device);
  const SpmmProblem problem = spmm_problem(matrix, type, n);
  const RowStatistics statistics = statistics_of(matrix, path);
  const Explanation explanation = explain_spmm(device.profile, problem, statistics, choice);
  if (!options.json) fmt::print("{}", heading_of(path, problem, statistics));
  show_explanation(device, "product", fmt::format("with {}", count_of(n, "column")),
                   fields_of(path, problem, statistics), explanation, options.json);
}

}  // namespace

const Benchmark spmm_benchmark{"spmm", bench_spmm, ladder_spmm, explain_sparse_choice};

}  // namespace tilewright::tool
