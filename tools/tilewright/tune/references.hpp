#pragma once

#include <string>
#include <vector>

#include "session.hpp"
#include "tuning/report/report.hpp"

namespace tilewright::tool {

/// Times other libraries on a problem of gemm's, in turns, a few seconds each, and verifies them. What fails or is
/// wrong is told on stderr and left out; nothing is thrown.
std::vector<tuning::ReportReference> time_gemm_references(const Session& session, const tuning::Problem& problem,
                                                          const std::vector<std::string>& libraries);

}  // namespace tilewright::tool
