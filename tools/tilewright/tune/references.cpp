#include "tune/references.hpp"

#include <fmt/format.h>

#include "compare/measure.hpp"
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
    std::vector<Entrant> entrants;
    for (const std::string& library : libraries) try {
        show_progress(fmt::format("{}: first call of {}", problem->label(), library));
        Entrant entrant =
            make_entrant(reference_title(library), workload, [&] { return make_reference(library, workload); });
        if (!entrant.verified()) {
          print_failure(entrant.name + " computes a wrong result here; omitted from the report");
          continue;
        }
        entrants.push_back(std::move(entrant));
      } catch (const std::exception& failure) {
        print_failure(failure.what());
      }
    std::vector<Entrant*> timed;
    for (Entrant& entrant : entrants) timed.push_back(&entrant);
    measure(timed, limits);
    for (const Entrant& entrant : entrants) references.push_back({entrant.name, entrant.median_seconds()});
  } catch (const std::exception& failure) {
    print_failure(failure.what());
  }
  return references;
}

}  // namespace tilewright::tool
