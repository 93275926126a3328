// Writing of `tune`'s report.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"
#include "tune/options.hpp"
#include "tuning/measure/roofline.hpp"
#include "tuning/tuned.hpp"

namespace tilewright::tool {

void write_text(const std::string& path, const std::string& text);

/// Measures the device's limits. Reports a failure and returns nothing, because tuning does not need them.
std::optional<tuning::Roofline> measure_limits(const Session& session, const std::vector<tuning::Problem>& problems);

/// Writes the HTML report. First times the libraries in the options, a few seconds per problem, until `stop` is set.
void write_report(const Session& session, const std::vector<tuning::Tuned>& results,
                  const std::optional<tuning::Roofline>& roofline, const TuneCommandOptions& options,
                  const std::string& strategy, const std::atomic<bool>& stop);

}  // namespace tilewright::tool
