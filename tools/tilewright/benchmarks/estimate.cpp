#include "benchmarks/estimate.hpp"

#include <algorithm>

#include "benchmarks/gemm_contenders.hpp"
#include "options/shape.hpp"
#include "runtime/system/stopwatch.hpp"

namespace tilewright::tool {
namespace {

constexpr std::uint64_t small_extent = 128;
/// Allowed ratio of actual to predicted time. A much larger call slows down once its operands leave the caches.
constexpr double margin = 10;

GemmProblem limit(GemmProblem problem, std::uint64_t extent) {
  for (std::uint64_t* const size : {&problem.m, &problem.n, &problem.k}) *size = std::min(*size, extent);
  set_batch(problem, problem.batch.count);
  return problem;
}

double timed_call(const Contender& contender) {
  const detail::Stopwatch watch;
  contender.run(1);
  return watch.seconds();
}

}  // namespace

Estimate estimate_call(const Session& session, const GemmProblem& problem, const Choice& choice,
                       double budget_seconds) {
  Estimate estimate;
  estimate.problem = problem;
  for (std::uint64_t extent = small_extent;; extent *= 2) {
    const GemmProblem small = limit(problem, extent);
    Workload workload(session, small);
    const detail::Stopwatch watch;
    const Contender contender = plan_contender(workload, GemmPlan(session.engine(), small, choice));
    const double first = timed_call(contender);
    if (extent == small_extent) {
      estimate.first_call_seconds = watch.seconds();
    }
    // The first call may have compiled a kernel. A long first call is not repeated.
    const double seconds = first > budget_seconds / 4 ? first : timed_call(contender);

    const auto predict = [&](const GemmProblem& larger) { return seconds * flops_of(larger) / flops_of(small); };
    const GemmProblem next = limit(problem, extent * 2);
    estimate.seconds = predict(problem);
    if (estimate.seconds * margin <= budget_seconds) {
      estimate.affordable = true;
      return estimate;
    }
    if (next == problem || predict(next) > budget_seconds) {
      estimate.seconds = predict(next);
      estimate.problem = next;
      estimate.affordable = estimate.seconds <= budget_seconds;
      return estimate;
    }
  }
}

}  // namespace tilewright::tool
