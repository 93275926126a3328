#pragma once

#include <string>
#include <vector>

#include "session.hpp"
#include "tuning/report.hpp"

namespace tilewright::tool {

/// Times other libraries on a shape's product, in turns, a few seconds each, and verifies them. What fails or is wrong
/// is told on stderr and left out; nothing is thrown.
std::vector<tuning::ReportReference> time_references(const Session& session, const GemmProblem& problem,
                                                     const std::vector<std::string>& libraries);

}  // namespace tilewright::tool
