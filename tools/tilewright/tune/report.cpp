#include "tune/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <set>
#include <span>

#include "files/output_file.hpp"
#include "text/messages.hpp"
#include "text/progress.hpp"
#include "tilewright/version.hpp"
#include "tuning/report/report.hpp"

namespace tilewright::tool {

using namespace tuning;

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

std::optional<Roofline> measure_limits(const Session& session, const std::vector<Problem>& problems) try {
  std::set<DataType> types;
  for (const Problem& problem : problems)
    if (const auto type = problem->arithmetic()) types.insert(*type);
  show_progress("measuring the device's limits for the report");
  return measure_roofline(session.engine(), types);
} catch (const std::exception& problem) {
  print_error(fmt::format("the report has no roofline: {}", problem.what()));
  return std::nullopt;
}

void write_report(const Session& session, const std::vector<Tuned>& results, const std::optional<Roofline>& roofline,
                  const TuneCommandOptions& options, const std::string& strategy, const std::atomic<bool>& stop) {
  const DeviceProfile& device = session.device().profile;
  TuneReport report{.device = device.name,
                    .platform = device.platform_name,
                    .driver = device.driver_version,
                    .library_version = std::string(version),
                    .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                    .budget = options.budget,
                    .strategy = strategy,
                    .seed = options.seed};
  for (const Tuned& tuned : results) {
    report.shapes.push_back({tuned});
    if (tuned.best.seconds > 0 && !options.against.empty() && !stop)
      report.shapes.back().references = options.operation().time_references(session, tuned.problem, options.against);
  }
  if (roofline) {
    for (const auto& [type, gflops] : roofline->gflops) report.roofs.push_back({type, gflops});
    report.bandwidth_gbytes = roofline->bandwidth_gbytes;
  }
  write_text(options.report_file, html_report(report));
}

}  // namespace tilewright::tool
