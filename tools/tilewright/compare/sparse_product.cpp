#include "compare/sparse_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "compare/measure.hpp"
#include "compare/openmp_product.hpp"
#include "files/input.hpp"
#include "runtime/system/stopwatch.hpp"
#include "sparse_matrix.hpp"
#include "text/progress.hpp"
#include "tilewright/error.hpp"
#include "tuning/measure/median.hpp"
#include "verification/common/random_data.hpp"
#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {
namespace {

using namespace verification;

/// The data of one measurement, on the host and on the device.
template <class T>
class Data {
 public:
  Data(const Session& session, const SparseInput& input, const SpmmProblem& problem)
      : session_(session), problem_(problem) {
    session.require_memory(device_bytes_of(problem));
    require_host_memory(input.path, bytes_of(problem), "the product");
    host_ = by_rows<T>(input.matrix, false, input.path);
    b_ = random_data<T>(problem.k * problem.n, DataKind::uniform, 1);
    c_.resize(problem.m * problem.n);
    sparse_.emplace(session, host_);
    device_b_ = session.make_buffer(std::as_bytes(std::span(b_)));
    device_c_ = session.make_buffer(std::as_bytes(std::span(c_)));
  }

  const SpmmProblem& problem() const { return problem_; }
  SparseStructure structure() const { return sparse_->structure(); }
  SpmmOperands operands() const {
    return {.values = sparse_->values(), .b = {device_b_.get()}, .c = {device_c_.get()}};
  }

  void poison() {
    std::fill(c_.begin(), c_.end(), std::numeric_limits<T>::quiet_NaN());
    session_.write(device_c_.get(), std::as_bytes(std::span(c_)));
  }
  SpmmComparison check_device() {
    session_.read(device_c_.get(), std::as_writable_bytes(std::span(c_)));
    return compare(HostSpmm<T>{.a = host_, .n = problem_.n, .b = b_.data()}, c_.data());
  }
  void multiply_on_host() { verification::multiply_on_host(host_, problem_.n, b_.data(), c_.data()); }
  OpenmpProduct<T> openmp() { return {host_, problem_.n, b_.data(), c_.data()}; }

 private:
  const Session& session_;
  SpmmProblem problem_;
  HostCsr<T> host_;
  std::vector<T> b_, c_;
  std::optional<DeviceCsr<T>> sparse_;
  Buffer device_b_, device_c_;
};

Timed timed_plan(const Session& session, const std::shared_ptr<SpmmPlan>& plan, const SpmmOperands& operands,
                 const std::string& name) {
  return {name,
          [&session, plan, operands](unsigned calls) {
            SpmmOperands each = operands;
            for (unsigned left = calls; left > 0; --left) {
              each.event = left == 1;
              const Event last = plan->enqueue(session.queue(), each);
              if (each.event) last.wait();
            }
          },
          {}};
}

/// Makes a plan, computes the product once and verifies it. Returns nothing if the variant does not support the
/// problem.
template <class T>
std::optional<Timed> first_call(const Session& session, Data<T>& data, const Choice& choice, SparseRuns& result) {
  SparseRun& run = result.runs.emplace_back();
  run.name = choice.variant;
  run.configuration = tilewright::to_string(choice.configuration);
  data.poison();
  const detail::Stopwatch begin;
  std::shared_ptr<SpmmPlan> plan;
  try {
    plan = std::make_shared<SpmmPlan>(session.engine(), data.problem(), data.structure(), choice);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported_variant || choice.variant.empty()) throw;
    run.note = std::string("skipped: ") + error.what();
    return {};
  }
  run.name = plan->explanation().variant;
  run.configuration = tilewright::to_string(plan->explanation().configuration);
  run.reason = plan->explanation().reason;
  result.statistics = plan->statistics();
  show_progress(fmt::format("{}, {} columns: first call of {}", to_string(data.problem()), data.problem().n, run.name));
  plan->enqueue(session.queue(), data.operands()).wait();
  run.first_call_seconds = begin.seconds();
  const SpmmComparison worst = data.check_device();
  run.error_over_bound = worst.error_over_bound;
  if (!worst.passed())
    run.wrong = fmt::format("row {}, column {} is {}, expected {}: {} times the error bound", worst.row, worst.column,
                            worst.result, worst.expected, worst.error_over_bound);
  return timed_plan(session, plan, data.operands(), run.name);
}

template <class T>
SparseRuns measure_as(const Session& session, const SparseInput& input, const SpmmProblem& problem,
                      const std::vector<Choice>& choices, unsigned runs) {
  Data<T> data(session, input, problem);
  SparseRuns result;
  result.problem = problem;
  std::vector<Timed> timed;
  std::vector<std::size_t> places;  // index in result.runs of each timed entry
  for (const Choice& choice : choices)
    if (auto one = first_call(session, data, choice, result)) {
      timed.push_back(std::move(*one));
      places.push_back(result.runs.size() - 1);
    }
  timed.push_back({"the host's loop",
                   [&](unsigned calls) {
                     for (unsigned call = 0; call < calls; ++call) data.multiply_on_host();
                   },
                   {}});
  const OpenmpProduct<T> openmp = data.openmp();
  if (openmp_threads() > 0)
    timed.push_back({"OpenMP's loop",
                     [&](unsigned calls) {
                       for (unsigned call = 0; call < calls; ++call) openmp.multiply();
                     },
                     // OpenMP's threads spin for a while after a loop, on cores that the next call may need.
                     [] { std::this_thread::sleep_for(std::chrono::milliseconds(250)); }});
  MeasureLimits limits;
  limits.runs = runs;
  measure_in_turns(timed, limits);
  clear_progress();
  for (std::size_t i = 0; i < places.size(); ++i) {
    SparseRun& run = result.runs[places[i]];
    run.seconds = tuning::median(timed[i].seconds);
    run.measured = true;
  }
  result.host_seconds = tuning::median(timed[places.size()].seconds);
  if (openmp_threads() > 0) result.openmp_seconds = tuning::median(timed.back().seconds);
  return result;
}

}  // namespace

SparseRuns measure_sparse(const Session& session, const SparseInput& input, DataType type, std::uint64_t n,
                          const std::vector<Choice>& choices, unsigned runs) {
  const SpmmProblem problem = spmm_problem(input.matrix, type, n);
  return type == DataType::f64 ? measure_as<double>(session, input, problem, choices, runs)
                               : measure_as<float>(session, input, problem, choices, runs);
}

}  // namespace tilewright::tool
