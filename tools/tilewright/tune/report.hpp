// The report of `tune`.
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

/// The device's limits; nothing where measuring them fails, which is no reason not to tune.
std::optional<tuning::Roofline> measure_limits(const Session& session, const std::vector<tuning::Problem>& problems);

/// Times the libraries of the options first, a few seconds for each problem; no more of them once `stop` is set.
void write_report(const Session& session, const std::vector<tuning::Tuned>& results,
                  const std::optional<tuning::Roofline>& roofline, const TuneCommandOptions& options,
                  const std::string& strategy, const std::atomic<bool>& stop);

}  // namespace tilewright::tool
