#include "compare/lapack_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "compare/contender.hpp"
#include "compare/lapack_check.hpp"
#include "compare/lapack_contender.hpp"
#include "compare/measure.hpp"
#include "runtime/system/stopwatch.hpp"
#include "text/progress.hpp"
#include "tuning/measure/median.hpp"

namespace tilewright::tool {
namespace {

std::optional<LapackContender> reference_contender(const std::string& name, const LapackBuffers& buffers,
                                                   const LapackData& data) {
  if (name == "openblas") return openblas_lapack_contender(buffers.problem(), data);
  if (auto call = clblast_lapack_call(buffers)) return buffers.contender(name, std::move(call));
  return {};
}

void make_first_call(const LapackProblem& problem, const LapackData& data, const LapackContender& contender,
                     LapackRun::Entry& entry) {
  show_progress(fmt::format("{}: first call of {}", to_string(problem), contender.name));
  contender.restore();
  const detail::Stopwatch watch;
  contender.call();
  entry.first_call_seconds = watch.seconds();
  if (contender.settle) contender.settle();
  show_progress(fmt::format("{}: verifying {}", to_string(problem), contender.name));
  const LapackVerdict verdict = check_lapack(problem, data, contender.result());
  entry.error_over_bound = verdict.error_over_bound;
  entry.wrong = verdict.wrong;
}

Timed timed(const LapackContender& contender) {
  return {.name = contender.name,
          .run = [call = contender.call](unsigned) { call(); },
          .settle = contender.settle,
          .prepare = contender.restore};
}

}  // namespace

LapackRun measure_lapack(const Session& session, const LapackProblem& problem, const Choice& choice,
                         const std::vector<std::string>& against, unsigned runs) {
  check_references(against);
  session.require_memory(lapack_bytes(problem));
  const LapackData data = random_lapack_data(problem);
  const LapackBuffers buffers(session, problem, data);
  const TilewrightCall own = tilewright_lapack_call(buffers, choice);
  LapackRun run;
  std::vector<LapackContender> contenders{buffers.contender(run.own.name, own.call)};
  make_first_call(problem, data, contenders.front(), run.own);
  run.explanation = own.explain();
  for (const std::string& name : against) {
    run.references.push_back({.name = name});
    if (auto contender = reference_contender(name, buffers, data)) {
      make_first_call(problem, data, *contender, run.references.back());
      contenders.push_back(std::move(*contender));
    }
  }

  std::vector<Timed> all;
  for (const LapackContender& contender : contenders) all.push_back(timed(contender));
  MeasureLimits limits;
  limits.runs = runs;
  measure_in_turns(all, limits);
  clear_progress();
  run.own.seconds = tuning::median(all.front().seconds);
  for (const Timed& one : all)
    for (LapackRun::Entry& reference : run.references)
      if (reference.name == one.name) reference.seconds = tuning::median(one.seconds);
  return run;
}

#ifndef TILEWRIGHT_WITH_OPENBLAS_LAPACK
std::string openblas_kernels() { return {}; }
std::optional<LapackContender> openblas_lapack_contender(const LapackProblem&, const LapackData&) { return {}; }
#endif
#ifndef TILEWRIGHT_WITH_CLBLAST
std::function<void()> clblast_lapack_call(const LapackBuffers&) { return {}; }
#endif

}  // namespace tilewright::tool
