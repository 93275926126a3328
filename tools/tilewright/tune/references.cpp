#include "tune/references.hpp"

#include <fmt/format.h>

#include "benchmarks/contest.hpp"
#include "compare/references.hpp"
#include "text/progress.hpp"
#include "tuning/operations/gemm_tunable.hpp"

namespace tilewright::tool {

std::vector<tuning::ReportReference> time_gemm_references(const Session& session, const tuning::Problem& problem,
                                                          const std::vector<std::string>& libraries) {
  constexpr MeasureLimits limits{.runs = 7, .budget_seconds = 2};
  const auto print_failure = [&](const std::string& what) {
    clear_progress();
    fmt::print(stderr, "tilewright: {}: {}\n", problem->label(), what);
  };
  std::vector<tuning::ReportReference> references;
  try {
    Workload workload(session, tuning::problem_of<GemmProblem>(problem));
    Contest contest(session.engine(), problem->label(), [&] { workload.poison(); });
    for (const std::string& library : libraries) try {
        const Entrant& entrant =
            contest.add(reference_title(library), [&] { return library_contender(library, workload); });
        if (entrant.verified()) continue;
        print_failure(entrant.name + " computes a wrong result here; omitted from the report");
        contest.own.pop_back();
      } catch (const std::exception& failure) {
        print_failure(failure.what());
      }
    contest.time(limits);
    for (const Entrant& entrant : contest.own)
      if (entrant.measured()) references.push_back({entrant.name, entrant.seconds});
  } catch (const std::exception& failure) {
    print_failure(failure.what());
  }
  return references;
}

}  // namespace tilewright::tool
